import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type KubeObject, messageOf } from '@weft/api'
import { type ManagedResourceDefinition, type FetchOptions, type PackageStore, type SchemaSource, TERRAFORM } from '@weft/controllers'
import {
  type BridgedProvider,
  bridgedProvider,
  checkOverlay,
  describeProvider,
  formatAddress,
  knownOverlay,
  mergedOverlay,
  NO_OVERLAY,
  parseOverlay,
  parseProviderSource,
  type ProviderAddress,
  type ProviderOverlay,
  type ProviderStore,
  type StoredProvider,
  stubOf,
} from '@weft/terraform'
import { type Package, PackageError } from '@weft/xpkg'
import { parse } from 'yaml'
import type { SchemaLibrary } from './schema-library.ts'

/** Changes when the same schema would lead to other kinds: definitions that were filled in before are filled in anew. */
const RULES = 2

export interface TerraformPackagesOptions {
  /** Made when it is first needed. */
  readonly directory: string
  readonly providers: ProviderStore
  readonly schemas: SchemaLibrary
}

/** The packages of Terraform providers (`terraform:hashicorp/aws@6`): made here, of what a provider says of itself. */
export interface TerraformPackages extends SchemaSource {
  /** The same store, with these packages in it. */
  beside(next: PackageStore): PackageStore
  /** The provider of a package that was fetched; undefined when it is no longer here. */
  load(digest: string): Promise<BridgedProvider | undefined>
  /** Gets the package of that reference, for replicas that did not install it; does nothing for references of other sorts. */
  bring(reference: string): Promise<void>
}

export function terraformPackages({ directory, providers, schemas }: TerraformPackagesOptions): TerraformPackages {
  const records = join(directory, 'packages')
  const bridges = new Map<string, Promise<BridgedProvider | undefined>>()
  const overlayFor = (address: ProviderAddress): Promise<FoundOverlay> => readOverlay(join(directory, 'overlays'), address)
  const bridge = async (provider: StoredProvider, overlay: ProviderOverlay, signal: AbortSignal): Promise<BridgedProvider> =>
    bridgedProvider(provider, await schemas.of(provider, signal), overlay)
  const read = async (digest: string): Promise<BridgedProvider | undefined> => {
    const hash = await readFile(join(records, digest.replace(':', '-')), 'utf8').catch(() => undefined)
    const provider = hash === undefined ? undefined : await providers.load(hash)
    if (provider === undefined) return undefined
    const { overlay } = await overlayFor(provider.address)
    return bridge(provider, overlay, AbortSignal.timeout(SCHEMA_MS))
  }
  const load = (digest: string): Promise<BridgedProvider | undefined> => {
    let found = bridges.get(digest)
    if (found === undefined) {
      bridges.set(digest, (found = read(digest)))
      found.then(
        (bridged) => bridged ?? bridges.delete(digest),
        () => bridges.delete(digest),
      )
    }
    return found
  }
  /** Asked for at every turn of the package's controller, and thousands of objects. */
  const made = new WeakMap<BridgedProvider, Package>()
  const contents = (bridged: BridgedProvider, digest: string): Package => {
    const before = made.get(bridged) ?? contentsOf(bridged, digest)
    made.set(bridged, before)
    return before
  }
  const identify = (text: string, digest: string) => {
    const { address, version, path } = parseProviderSource(text.slice(TERRAFORM.length))
    return { source: `${TERRAFORM}${formatAddress(address)}`, version: path === undefined ? (version ?? digest) : digest }
  }
  const fetch = async (
    text: string,
    options: FetchOptions = {},
  ): Promise<{ readonly digest: string; readonly bridged: BridgedProvider }> => {
    const { signal = AbortSignal.timeout(FETCH_MS), offline, onProgress } = options
    const provider = await providers.fetch(parseProviderSource(text.slice(TERRAFORM.length)), { signal, offline, onProgress })
    onProgress?.(`asking ${describeProvider(provider)} for its schema`)
    const { overlay, own, path, text: overlayText } = await overlayFor(provider.address)
    const bridged = await bridge(provider, overlay, signal).catch((cause: unknown) => {
      throw new PackageError('Malformed', `${describeProvider(provider)} does not report its schema: ${messageOf(cause)}`, { cause })
    })
    mustFit(own, bridged, path)
    const digest = digestOf(provider, overlayText)
    await keep(records, digest, provider.hash)
    bridges.set(digest, Promise.resolve(bridged))
    return { digest, bridged }
  }
  const brought = new Map<string, Promise<void>>()
  return {
    load,
    bring(reference) {
      if (!reference.startsWith(TERRAFORM)) return Promise.resolve()
      let under = brought.get(reference)
      if (under === undefined) {
        under = fetch(reference)
          .then(() => undefined)
          .finally(() => brought.delete(reference))
        brought.set(reference, under)
      }
      return under
    },
    beside: (next) => ({
      async fetch(text, options = {}) {
        if (!text.startsWith(TERRAFORM)) return next.fetch(text, options)
        const { digest, bridged } = await fetch(text, options)
        return { digest, contents: contents(bridged, digest), ...identify(text, digest) }
      },
      async load(digest) {
        const bridged = await load(digest)
        return bridged === undefined ? next.load(digest) : contents(bridged, digest)
      },
      ...(next.peek !== undefined && { peek: (source: string) => (source.startsWith(TERRAFORM) ? undefined : next.peek?.(source)) }),
      identify: (text, digest) => (text.startsWith(TERRAFORM) ? identify(text, digest) : next.identify(text, digest)),
      versions(repository, options = {}) {
        if (!repository.startsWith(TERRAFORM)) return next.versions(repository, options)
        const { signal = AbortSignal.timeout(FETCH_MS), offline } = options
        return providers.versions(parseProviderSource(repository.slice(TERRAFORM.length)).address, { signal, offline })
      },
      prune: (wanted) => next.prune?.(wanted) ?? Promise.resolve(),
    }),
    schemaOf(definition: ManagedResourceDefinition) {
      const stub = stubOf(definition)
      return stub === undefined ? undefined : `${stub.packageDigest}/${RULES}`
    },
    async expand(definition: ManagedResourceDefinition) {
      const stub = stubOf(definition)
      const bridged = stub === undefined ? undefined : await load(stub.packageDigest)
      if (stub === undefined || bridged === undefined) throw new Error('its provider is not here yet')
      const kind = bridged.kind(stub.type)
      if (kind === undefined) throw new Error(`${describeProvider(bridged.provider)} has no type ${stub.type.name}`)
      return kind.rendered()
    },
  }
}

const FETCH_MS = 10 * 60_000
const SCHEMA_MS = 2 * 60_000

interface FoundOverlay {
  readonly overlay: ProviderOverlay
  /** What the user's own file says, without what Weft knows itself. */
  readonly own: ProviderOverlay
  readonly path: string
  readonly text: string
}

const NAMED = 5

/** What Weft's own files name and a version does not have is passed over; a user's file is written for what is there. */
function mustFit(own: ProviderOverlay, { provider, schema }: BridgedProvider, path: string): void {
  const problems = checkOverlay(own, schema)
  if (problems.length === 0) return
  const more = problems.length > NAMED ? `; and ${problems.length - NAMED} more` : ''
  const why = `${problems.slice(0, NAMED).join('; ')}${more}`
  throw new PackageError('Malformed', `${path} does not fit ${describeProvider(provider)}: ${why}: correct the file`)
}

async function readOverlay(directory: string, address: ProviderAddress): Promise<FoundOverlay> {
  const path = join(directory, `${formatAddress(address).replaceAll('/', '+')}.yaml`)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new PackageError('NotFound', `${path} cannot be read: ${error.message}`, { cause: error })
  })
  const own = text === '' ? NO_OVERLAY : parseOverlay(parse(text) ?? {}, path)
  return { overlay: mergedOverlay(knownOverlay(address), own), own, path, text }
}

const digestOf = ({ address, version, hash }: StoredProvider, overlay: string): string =>
  `sha256:${createHash('sha256')
    .update(JSON.stringify([formatAddress(address), version, hash, overlay]))
    .digest('hex')}`

async function keep(records: string, digest: string, hash: string): Promise<void> {
  await mkdir(records, { recursive: true, mode: 0o700 })
  const path = join(records, digest.replace(':', '-'))
  await writeFile(`${path}.half`, hash, { mode: 0o600 })
  await rename(`${path}.half`, path)
}

function contentsOf(bridged: BridgedProvider, digest: string): Package {
  const { address, version } = bridged.provider
  const name = `terraform-${address.namespace}-${address.type}`
  const metadata: KubeObject = {
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: { name, annotations: { 'meta.crossplane.io/description': `The Terraform provider ${formatAddress(address)} ${version}` } },
    spec: { capabilities: CAPABILITIES },
  }
  return {
    type: 'Provider',
    name,
    metadata,
    objects: bridged.objects(digest),
    capabilities: CAPABILITIES,
    dependencies: [],
    files: new Map(),
  }
}

const CAPABILITIES: readonly string[] = ['late-mr-activation']
