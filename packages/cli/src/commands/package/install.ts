import { isDns1123Subdomain, type KubeObject } from '@weft/api'
import {
  type Bundle,
  dockerCredentials,
  fetchPackage,
  type FetchOptions,
  formatSource,
  openBundle,
  PackageError,
  type PackageSource,
  type PackageType,
  parseSource,
} from '@weft/xpkg'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ClusterOptions, withCluster } from '../../cluster/index.ts'
import { withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'
import { packageFolder } from './package-folder.ts'
import { PACKAGE_GROUP, packageTypeOf } from './package-object.ts'
import { untilHealthy } from './until-healthy.ts'

export interface InstallOptions extends ClusterOptions {
  readonly name?: string
  readonly type?: string
  readonly manualActivation?: boolean
  readonly historyLimit?: number
  readonly pullSecret?: readonly string[]
  readonly skipDependencies?: boolean
  readonly insecureRegistry?: readonly string[]
  readonly wait?: boolean
  readonly timeout: number
}

export async function install(text: string, options: InstallOptions): Promise<number> {
  const bundle = await bundleAt(text)
  if (bundle === undefined) return installOne(await sourceOf(text), options)
  if (bundle.asked.length > 1 && options.name !== undefined)
    throw new CommandFailure(`--name ${options.name} is one name, but ${text} contains ${bundle.asked.length} packages`)
  for (const image of bundle.asked) {
    const code = await installOne({ kind: 'image', image }, { ...options, bundles: [bundle] })
    if (code !== 0) return code
  }
  return 0
}

/** A file that holds packages by their names: those are installed as from their registry, and the control plane must know the file (`weft up --package-bundle`). */
async function bundleAt(text: string): Promise<Bundle | undefined> {
  if ((await stat(text).catch(() => undefined))?.isFile() !== true) return undefined
  const bundle = await openBundle(text).catch((error: unknown) => {
    // Whatever is no package either is refused in the words for packages.
    if (error instanceof PackageError && !text.endsWith('.bundle')) return undefined
    throw error
  })
  return bundle?.asked.length === 0 ? undefined : bundle
}

async function installOne(wantedSource: PackageSource, options: InstallOptions & Pick<FetchOptions, 'bundles'>): Promise<number> {
  const { type, name, source } = await identify(wantedSource, options)
  const [problem] = isDns1123Subdomain(name)
  if (problem !== undefined)
    throw new CommandFailure(`${JSON.stringify(name)} cannot be the name of a package (${problem}); give another with --name`)
  const wanted: KubeObject = {
    apiVersion: `${PACKAGE_GROUP}/v1`,
    kind: type,
    metadata: { name },
    spec: {
      package: formatSource(source),
      ...(options.manualActivation === true && { revisionActivationPolicy: 'Manual' }),
      ...(options.historyLimit !== undefined && { revisionHistoryLimit: options.historyLimit }),
      ...(options.pullSecret !== undefined && { packagePullSecrets: options.pullSecret.map((secret) => ({ name: secret })) }),
      ...(options.skipDependencies === true && { skipDependencyResolution: true }),
    },
  }
  return withCluster(options, async (cluster) => {
    const before = await cluster.client.find({ group: PACKAGE_GROUP, kind: type }, { name })
    const applied = await cluster.client.apply(wanted, { force: true })
    const label = `${type.toLowerCase()}.${PACKAGE_GROUP}/${name}`
    const verb =
      before === undefined ? 'created' : before.metadata.resourceVersion === applied.metadata.resourceVersion ? 'unchanged' : 'configured'
    process.stdout.write(`${label} ${verb}\n`)
    return options.wait === true ? untilHealthy(cluster, applied, { label, timeoutMs: options.timeout }) : 0
  })
}

/** A name that is a path here is meant as one. The server reads it by itself, from wherever it runs: so in full. */
async function sourceOf(text: string): Promise<PackageSource> {
  const [path = text] = text.split('@sha256:')
  const exists = (await stat(path).catch(() => undefined)) !== undefined
  const source = exists && !/^[./]/.test(text) ? parseSource(`./${text}`) : parseSource(text)
  return source.kind === 'path' ? { ...source, path: resolve(await packageFolder(source.path)) } : source
}

interface Identified {
  readonly type: PackageType
  readonly name: string
  readonly source: PackageSource
}

/**
 * What the package says it is. Reading it here finds a bad one before anything is asked of the server. A path is asked for with the digest that was read: what is in the
 * folder by then is what was meant, and another content is another revision.
 */
async function identify(source: PackageSource, options: InstallOptions & Pick<FetchOptions, 'bundles'>): Promise<Identified> {
  if (options.type !== undefined && options.name !== undefined) return { type: packageTypeOf(options.type), name: options.name, source }
  const { type, name, digest } = await withProgress(`reading ${formatSource(source)}`, () =>
    fetchPackage(source, {
      credentials: dockerCredentials(),
      plainHttp: options.insecureRegistry,
      bundles: options.bundles,
      timeoutMs: options.timeout,
    }),
  )
  if (options.type !== undefined && options.type !== type.toLowerCase())
    throw new CommandFailure(`${formatSource(source)} is a ${type}, not a ${options.type}`)
  return { type, name: options.name ?? name, source: source.kind === 'path' ? { ...source, digest } : source }
}
