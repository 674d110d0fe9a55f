import { createHash } from 'node:crypto'
import { findCondition, hasReason } from '@weft/api'
import type { Client, SharedInformers } from '@weft/client'
import { BUNDLED, type PackageObject, type PackageStore, providerKind } from '@weft/controllers'
import type { ProviderDefinition } from '@weft/provider-sdk'
import { type Package, PackageError } from '@weft/xpkg'
import { BUNDLED_PROVIDERS, type ProviderShelf } from './bundled-providers.ts'

/** A bundled package, and the code that belongs to it. */
interface OnShelf {
  readonly digest: string
  readonly contents: Package
}

/** The packages of bundled providers (`bundled:nop`) beside those of another store. They are in memory, and need no disk. */
export function withBundled(shelf: ProviderShelf, next: PackageStore): PackageStore {
  const known = new Map<string, OnShelf>()
  const take = async (source: string): Promise<OnShelf> => {
    const before = known.get(source)
    if (before !== undefined) return before
    const definition = await shelf.find(source.slice(BUNDLED.length))
    if (definition === undefined)
      throw new PackageError('NotFound', `${source} does not come with this control plane; ${BUNDLED_PROVIDERS.join(', ')} do`)
    const contents = contentsOf(definition)
    const found = { contents, digest: digestOf(contents) }
    known.set(source, found)
    return found
  }
  return {
    async fetch(source, options) {
      if (!source.startsWith(BUNDLED)) return next.fetch(source, options)
      const found = await take(source)
      return { ...found, source, version: found.digest }
    },
    load: (digest) => {
      const found = [...known.values()].find((each) => each.digest === digest)
      return found === undefined ? next.load(digest) : Promise.resolve(found.contents)
    },
    peek: (source) => known.get(source)?.digest,
    identify: (source, digest) => (source.startsWith(BUNDLED) ? { source, version: digest } : next.identify(source, digest)),
    versions: (repository, options) => next.versions(repository, options),
    prune: (wanted) => next.prune?.(wanted) ?? Promise.resolve(),
  }
}

function contentsOf({ name, package: { metadata, objects } }: ProviderDefinition): Package {
  const { capabilities = [] } = (metadata['spec'] ?? {}) as { capabilities?: readonly string[] }
  return { type: 'Provider', name, metadata, objects, capabilities, dependencies: [], files: new Map() }
}

const digestOf = ({ metadata, objects }: Package): string =>
  `sha256:${createHash('sha256')
    .update(JSON.stringify([metadata, objects]))
    .digest('hex')}`

/**
 * Asks for the packages of bundled providers: from then on they are packages like all others. One that is there already is a person's to
 * change or to replace. Answers their names.
 */
export async function installBundled(
  client: Client,
  shelf: ProviderShelf,
  wanted: readonly (string | ProviderDefinition)[],
): Promise<readonly string[]> {
  return Promise.all(
    [...new Set(wanted)].map(async (each) => {
      const key = shelf.nameOf(each)
      const name = key.startsWith('provider-') ? key : `provider-${key}`
      if ((await client.find(providerKind, { name })) !== undefined) return name
      const provider: PackageObject = {
        apiVersion: `${providerKind.group}/${providerKind.version}`,
        kind: providerKind.kind,
        metadata: { name },
        spec: { package: `${BUNDLED}${key}` },
      }
      await client.create(provider).catch((error: unknown) => {
        // Another replica was quicker.
        if (!hasReason(error, 'AlreadyExists')) throw error
      })
      return name
    }),
  )
}

/** Resolves when each of the packages has been installed, or has said why not. Their kinds are there then: whoever starts the control plane uses them at once. */
export async function untilSettled(informers: SharedInformers, names: readonly string[], timeoutMs: number): Promise<boolean> {
  const lease = informers.acquire({ kind: providerKind })
  const waiting = new Set(names)
  let timer: NodeJS.Timeout | undefined
  let unsubscribe: (() => void) | undefined
  try {
    return await new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs)
      unsubscribe = lease.informer.subscribe((change) => {
        const { metadata, status } = change.object
        const health = findCondition(status?.conditions, 'Healthy')
        if (change.type !== 'deleted' && (health === undefined || health.status === 'Unknown')) return
        waiting.delete(metadata.name ?? '')
        if (waiting.size === 0) resolve(true)
      })
      if (waiting.size === 0) resolve(true)
    })
  } finally {
    clearTimeout(timer)
    unsubscribe?.()
    await lease.release()
  }
}
