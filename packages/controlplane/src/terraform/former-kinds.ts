import type { GroupKind } from '@weft/api'
import type { Client } from '@weft/client'
import { managedResourceDefinitionKind } from '@weft/controllers'
import { type BridgedProvider, describeProvider, stubOf } from '@weft/terraform'

/** A kind that a version of a provider had, and the one that is installed has not. */
export interface FormerKind extends GroupKind {
  /** What to tell whoever has an object of it. */
  readonly why: string
}

/**
 * Definitions outlive the version that brought them: an upgrade deletes nothing. Nobody would work for the objects of such kinds, nor say so.
 * Asked when a version of a provider starts, after its own definitions were written.
 */
export async function formerKinds(bridged: BridgedProvider, client: Client): Promise<readonly FormerKind[]> {
  const { group, names } = bridged
  const offered = new Set([...names.resource.values(), ...names.data.values()].map(({ kind }) => kind))
  const { items } = await client.list(managedResourceDefinitionKind)
  return items.flatMap((definition) => {
    const stub = stubOf(definition)
    const { kind } = definition.spec.names
    if (stub === undefined || definition.spec.group !== group || typeof kind !== 'string' || offered.has(kind)) return []
    const { sort, name } = stub.type
    const now = names[sort].get(name)?.kind
    const why =
      now === undefined
        ? `${describeProvider(bridged.provider)} has no type ${name}: install a version that has it, or release the external resource with ` +
          'deletionPolicy: Orphan and delete this object; nothing is changed until then'
        : `the type ${name} is the kind ${now} now: release the external resource with deletionPolicy: Orphan, delete this object, and have ` +
          `a ${now} take it over by its external name; nothing is changed until then`
    return [{ group, kind, why }]
  })
}
