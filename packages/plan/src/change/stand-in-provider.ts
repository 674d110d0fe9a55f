import { formatGroupKind, gvkOf, hasReason, type KubeObject, statusOf } from '@weft/api'
import { type Client, customResourceDefinitionKind, isOfKind } from '@weft/client'
import { conditionOf, conditionsOf, controllerOf } from '@weft/composition'
import { withoutFinalizer } from '@weft/controllers'
import type { Snapshot } from './snapshot.ts'

/** What providers put on managed resources: they take it away once the external resource is gone. */
const MANAGED_FINALIZER = 'finalizer.managedresource.crossplane.io'

/**
 * Takes the place of all providers in a fork, and does what they would do if all went well, at once: what is to go is gone, what is there is available.
 * What an external system would answer (names, addresses, connection details) it does not make up. Answers whether there was anything to do.
 */
export async function workAsProviders(client: Client, snapshot: Snapshot): Promise<boolean> {
  const kinds = managedKinds(snapshot)
  const work = [...snapshot.values()].flatMap((object) => (kinds.has(formatGroupKind(gvkOf(object))) ? stepOf(client, object) : []))
  await Promise.all(work.map((step) => step().catch(ignoreRaces)))
  return work.length > 0
}

/** Kinds that a ManagedResourceDefinition defines, or that say of themselves that they are managed. */
function managedKinds(snapshot: Snapshot): ReadonlySet<string> {
  const kinds = new Set<string>()
  for (const object of snapshot.values()) {
    if (!isOfKind(customResourceDefinitionKind, object)) continue
    const { group, names } = object.spec
    if (controllerOf(object)?.kind === 'ManagedResourceDefinition' || names.categories?.includes('managed') === true)
      kinds.add(formatGroupKind({ group, kind: names.kind }))
  }
  return kinds
}

type Step = () => Promise<unknown>

function stepOf(client: Client, object: KubeObject): readonly Step[] {
  if (object.metadata.deletionTimestamp !== undefined)
    return object.metadata.finalizers?.includes(MANAGED_FINALIZER) === true
      ? [() => client.update(withoutFinalizer(object, MANAGED_FINALIZER))]
      : []
  return conditionOf(object, 'Ready')?.status === 'True' ? [] : [() => client.updateStatus(available(object))]
}

function available(object: KubeObject): KubeObject {
  const others = conditionsOf(object).filter(({ type }) => type !== 'Ready')
  const ready = { type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: '2026-01-01T00:00:00Z' }
  return { ...object, status: { bindingPhase: 'Unbound', ...statusOf(object), conditions: [...others, ready] } }
}

/** Somebody was faster: it is looked at again. */
function ignoreRaces(error: unknown): void {
  if (!hasReason(error, 'Conflict') && !hasReason(error, 'NotFound')) throw error
}
