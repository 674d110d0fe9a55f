import { findCondition, type GroupKind } from '@weft/api'
import { type Change, type CustomResourceDefinition, customResourceDefinitionKind, type SharedInformers } from '@weft/client'

/**
 * Tells when kinds become available (M12). It watches CustomResourceDefinitions, not ManagedResourceDefinitions: a provider must also
 * run where only the former exist.
 */
export interface CrdGate {
  /** Calls back once, as soon as the kind is established and served; at once if it is already. Never calls back about its end. */
  whenServed(kind: GroupKind, callback: () => void): void
  close(): Promise<void>
}

export function openCrdGate(informers: SharedInformers): CrdGate {
  const lease = informers.acquire({ kind: customResourceDefinitionKind })
  const waiting = new Map<string, (() => void)[]>()
  const served = new Set<string>()
  const unsubscribe = lease.informer.subscribe((change: Change<CustomResourceDefinition>) => {
    const { group, names } = change.object.spec
    const key = keyOf({ group, kind: names.kind })
    if (change.type === 'deleted' || !isServed(change.object)) {
      served.delete(key)
      return
    }
    const isNew = !served.has(key)
    served.add(key)
    const callbacks = waiting.get(key) ?? []
    waiting.delete(key)
    for (const callback of callbacks) callback()
    // It was gone and is back: whoever watches it need not sit out the rest of its wait.
    if (isNew && callbacks.length === 0) informers.retryNow(group, names.kind)
  })
  return {
    whenServed(kind, callback) {
      const key = keyOf(kind)
      if (served.has(key)) callback()
      else waiting.set(key, [...(waiting.get(key) ?? []), callback])
    },
    async close() {
      unsubscribe()
      waiting.clear()
      await lease.release()
    },
  }
}

const keyOf = ({ group, kind }: GroupKind): string => `${kind}.${group}`

const isServed = ({ spec, status }: CustomResourceDefinition): boolean =>
  findCondition(status?.conditions, 'Established')?.status === 'True' && spec.versions.some((version) => version.served)
