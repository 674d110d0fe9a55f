import type { KubeObject } from '@weft/api'
import type { InformerLease, SharedInformers } from '@weft/client'
import { REFERENCE_DEFINITION_KIND, targetsFrom, type TargetSource } from './targets.ts'

/** Reference targets from data: what packages ship, and the ResourceReferenceDefinitions in the API server, once there are any. */
export interface TargetCache {
  readonly targets: TargetSource
  /** The kind of the definitions is served: follow them from now on. */
  follow(informers: SharedInformers): void
  close(): Promise<void>
}

export function createTargetCache(shipped: readonly KubeObject[]): TargetCache {
  let lease: InformerLease | undefined
  let source: TargetSource | undefined = undefined
  const build = (): TargetSource => {
    // What is in the API server may have been corrected by an operator, so it comes before what was shipped.
    const live = lease?.informer.list() ?? []
    const names = new Set(live.map(({ metadata }) => metadata.name))
    const definitions = [...live, ...shipped.filter((object) => isDefinition(object) && !names.has(object.metadata.name))]
    return targetsFrom(definitions)
  }
  return {
    targets: (from) => (source ??= build())(from),
    follow(informers) {
      if (lease !== undefined) return
      lease = informers.acquire({ kind: REFERENCE_DEFINITION_KIND })
      lease.informer.subscribe(() => (source = undefined))
    },
    async close() {
      await lease?.release()
      lease = undefined
    },
  }
}

const isDefinition = ({ apiVersion, kind }: KubeObject): boolean =>
  kind === REFERENCE_DEFINITION_KIND.kind && apiVersion.startsWith(`${REFERENCE_DEFINITION_KIND.group}/`)
