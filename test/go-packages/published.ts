import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pythonRoot, type Root } from '../functions/roots.ts'
import { providerObjects } from './provider-package.ts'

const here = dirname(fileURLToPath(import.meta.url))
/** As packages that come as dependencies are called. */
export const SHOPS = 'team-function-shops'
export const LABELS = 'team-function-labels'
export const PROVIDER = 'team-provider-databases'
/** Of the composite that the platform offers. */
export const SHOP_GROUP = 'shops.example.org'

export interface Publisher {
  /** A folder of the test's own. */
  readonly home: string
  /** Of the registry. */
  readonly host: string
  readonly programs: { readonly provider: string; readonly function: string }
  /** The official kit of Python. */
  readonly kit: string
  /** Runs `weft` in that folder, and fails where it does. */
  readonly weft: (...args: readonly string[]) => Promise<unknown>
}

/** Builds and pushes, with what users have for that: the provider and the static function in Go, a function in Python, and the platform that needs them. */
export async function publishPackages({ home, host, programs, kit, weft }: Publisher): Promise<void> {
  const publish = async (name: string, objects: readonly object[], { entrypoint, env }: Root): Promise<void> => {
    await mkdir(join(home, name), { recursive: true })
    for (const [at, object] of objects.entries())
      await writeFile(join(home, name, at === 0 ? 'crossplane.yaml' : `object-${at}.yaml`), JSON.stringify(object))
    const runtime = [...entrypoint.flatMap((word) => ['--entrypoint', word]), ...env.flatMap((variable) => ['--env', variable])]
    const root = ['--root', `${name}-root`]
    await weft('package', 'build', name, ...root, ...runtime)
    await weft('package', 'push', '-f', `${name}.xpkg`, `${host}/team/${name}:v1.0.0`)
    // Whatever runs from now on has these files from the registry, and from nowhere else.
    await rm(join(home, `${name}-root`), { recursive: true })
  }
  /** A root that holds one static program and nothing beside it. */
  const alone = async (name: string, program: string, env: readonly string[] = []): Promise<Root> => {
    const path = join(home, `${name}-root`, name)
    await mkdir(dirname(path))
    await copyFile(program, path)
    await chmod(path, 0o755)
    return { entrypoint: [`/${name}`], env }
  }
  // It elects a leader, though it is alone: as images do whose authors set that.
  const provider = await alone('provider-databases', programs.provider, ['LEADER_ELECTION=true'])
  await publish('provider-databases', providerObjects(), provider)
  await publish('function-labels', [functionMeta('function-labels')], await alone('function-labels', programs.function))
  const python = await pythonRoot(join(home, 'function-shops-root'), { kit, program: join(here, 'shop.py') })
  await publish('function-shops', [functionMeta('function-shops')], python)
  await mkdir(join(home, 'platform'))
  for (const [file, object] of Object.entries({ crossplane: platform(host), definition, composition }))
    await writeFile(join(home, 'platform', `${file}.yaml`), JSON.stringify(object))
  await weft('package', 'push', '-f', 'platform', `${host}/team/platform:v1.0.0`)
}

const functionMeta = (name: string): object => ({
  apiVersion: 'meta.pkg.crossplane.io/v1',
  kind: 'Function',
  metadata: { name },
  spec: {},
})

const platform = (host: string): object => ({
  apiVersion: 'meta.pkg.crossplane.io/v1',
  kind: 'Configuration',
  metadata: { name: 'platform' },
  spec: {
    dependsOn: [
      ['Provider', 'provider-databases'],
      ['Function', 'function-shops'],
      ['Function', 'function-labels'],
    ].map(([kind, name]) => ({ apiVersion: 'pkg.crossplane.io/v1', kind, package: `${host}/team/${name}`, version: '>=v1.0.0' })),
  },
})

const definition = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'CompositeResourceDefinition',
  metadata: { name: `shops.${SHOP_GROUP}` },
  spec: {
    group: SHOP_GROUP,
    names: { kind: 'Shop', plural: 'shops' },
    connectionSecretKeys: ['endpoint', 'port', 'username', 'password', 'database'],
    versions: [
      {
        name: 'v1',
        served: true,
        referenceable: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { databases: { type: 'array', items: { type: 'string' } } } } },
          },
        },
      },
    ],
  },
}

const composition = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name: 'shop' },
  spec: {
    compositeTypeRef: { apiVersion: `${SHOP_GROUP}/v1`, kind: 'Shop' },
    writeConnectionSecretsToNamespace: 'crossplane-system',
    mode: 'Pipeline',
    pipeline: [
      { step: 'databases', functionRef: { name: SHOPS } },
      { step: 'labels', functionRef: { name: LABELS } },
    ],
  },
}
