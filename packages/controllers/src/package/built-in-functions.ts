import { createHash } from 'node:crypto'
import { builtInCapabilities, builtInFunction } from '@weft/functions'
import type { Package } from '@weft/xpkg'
import type { PackageRuntime } from './package-runtime.ts'
import type { PackageStore } from './package-store.ts'

/** The packages of functions that are built in beside those of another store: nothing of them is fetched, from whatever registry they would come. */
export function withBuiltInFunctions(next: PackageStore): PackageStore {
  const known = new Map<string, Package>()
  return {
    ...next,
    async fetch(source, options) {
      if (builtInFunction(source) === undefined) return next.fetch(source, options)
      const digest = digestOf(source)
      const contents = contentsOf(source)
      known.set(digest, contents)
      return { digest, contents, ...next.identify(source, digest) }
    },
    load: (digest) => {
      const found = known.get(digest)
      return found === undefined ? next.load(digest) : Promise.resolve(found)
    },
  }
}

const digestOf = (source: string): string => `sha256:${createHash('sha256').update(`built in: ${source}`).digest('hex')}`

function contentsOf(source: string): Package {
  const name = (source.split('@', 1)[0] ?? '').replace(/^.*\//, '').replace(/:.*$/, '')
  const metadata = { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Function', metadata: { name }, spec: {} }
  return {
    type: 'Function',
    name,
    metadata,
    objects: [],
    dependencies: [],
    capabilities: builtInCapabilities(source) ?? [],
    files: new Map(),
  }
}

/** Runs nothing for functions that are built in, and leaves the others to `others`. */
export const besideBuiltIns = (others: PackageRuntime): PackageRuntime => ({
  async ensure(run) {
    if (builtInFunction(run.revision.spec.image) === undefined) return others.ensure(run)
    await others.stop(run.packageName)
    return { healthy: true, reason: 'BuiltIn' }
  },
  stop: (packageName, revisionName) => others.stop(packageName, revisionName),
})
