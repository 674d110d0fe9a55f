import { findCondition, type GroupKind } from '@weft/api'
import {
  type Change,
  type CustomResourceDefinition,
  customResourceDefinitionKind,
  type SharedInformers,
  type StaticKind,
} from '@weft/client'

/**
 * Tells when kinds become available (M12). It watches CustomResourceDefinitions, not ManagedResourceDefinitions: a provider must also
 * run where only the former exist.
 */
export interface CrdGate {
  /**
   * Calls back as soon as the kind is established and served; at once if it is already. Once, and again only when the version that it told of
   * is no longer served and another one is. Never calls back about its end.
   */
  whenServed(kind: GroupKind, callback: (kind: StaticKind) => void): void
  close(): Promise<void>
}

export function openCrdGate(informers: SharedInformers): CrdGate {
  const lease = informers.acquire({ kind: customResourceDefinitionKind })
  const waiting = new Map<string, ((kind: StaticKind) => void)[]>()
  const told = new Map<string, { readonly version: string; readonly callbacks: ((kind: StaticKind) => void)[] }>()
  const served = new Map<string, StaticKind>()
  const tell = (key: string, kind: StaticKind, callback: (kind: StaticKind) => void): void => {
    const others = (told.get(key)?.callbacks ?? []).filter((each) => each !== callback)
    told.set(key, { version: kind.version, callbacks: [...others, callback] })
    callback(kind)
  }
  const unsubscribe = lease.informer.subscribe((change: Change<CustomResourceDefinition>) => {
    const { group, names } = change.object.spec
    const key = keyOf({ group, kind: names.kind })
    if (change.type === 'deleted' || !isServed(change.object)) {
      served.delete(key)
      return
    }
    const isNew = !served.has(key)
    const before = told.get(key)
    const kind = kindOf(change.object, before?.version)
    served.set(key, kind)
    const callbacks = [...(waiting.get(key) ?? []), ...(before !== undefined && before.version !== kind.version ? before.callbacks : [])]
    waiting.delete(key)
    for (const callback of callbacks) tell(key, kind, callback)
    // It was gone and is back: whoever watches it need not sit out the rest of its wait.
    if (isNew && callbacks.length === 0) informers.retryNow(group, names.kind)
  })
  return {
    whenServed(kind, callback) {
      const key = keyOf(kind)
      const known = served.get(key)
      if (known !== undefined) tell(key, known, callback)
      else waiting.set(key, [...(waiting.get(key) ?? []), callback])
    },
    async close() {
      unsubscribe()
      waiting.clear()
      told.clear()
      await lease.release()
    },
  }
}

const keyOf = ({ group, kind }: GroupKind): string => `${kind}.${group}`

const isServed = ({ spec, status }: CustomResourceDefinition): boolean =>
  findCondition(status?.conditions, 'Established')?.status === 'True' && spec.versions.some((version) => version.served)

/** The kind as a client needs it, in `preferred` as long as that is served, else in the version that is stored. */
function kindOf({ spec: { group, names, scope, versions } }: CustomResourceDefinition, preferred: string | undefined): StaticKind {
  const usable = versions.filter((version) => version.served)
  const chosen = usable.find(({ name }) => name === preferred) ?? usable.find(({ storage }) => storage) ?? usable[0]
  return { group, version: chosen?.name ?? '', kind: names.kind, plural: names.plural, namespaced: scope === 'Namespaced' }
}
