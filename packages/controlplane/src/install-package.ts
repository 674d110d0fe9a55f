import type { KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import type { ProviderDefinition, ProviderPackage } from '@weft/provider-sdk'

const FIELD_MANAGER = 'weft-packages'
/** M11: with one of these a provider copes with kinds that are not installed yet. */
const LATE_ACTIVATION = new Set(['latemractivation', 'safestart'])

/**
 * Creates what a bundled provider's package holds, or brings it up to date. Safe to run on every start: applying what is
 * there already changes nothing, and a kind that was activated stays so.
 */
export async function installPackage(client: Client, { package: contents }: ProviderDefinition): Promise<void> {
  const late = activatesLate(contents)
  // Kinds come before the objects of those kinds: a package may hold both.
  const [kinds, others] = partition(contents.objects, ({ kind }) => kind === 'CustomResourceDefinition')
  await applyAll(client, kinds)
  await applyAll(
    client,
    others.map((object) => (object.kind === 'ManagedResourceDefinition' ? withState(object, late) : object)),
  )
}

const applyAll = (client: Client, objects: readonly KubeObject[]): Promise<unknown> =>
  Promise.all(objects.map((object) => client.apply(object, { fieldManager: FIELD_MANAGER, force: true })))

function activatesLate({ metadata }: ProviderPackage): boolean {
  const { capabilities = [] } = (metadata['spec'] ?? {}) as { capabilities?: readonly string[] }
  return capabilities.some((capability) => LATE_ACTIVATION.has(capability.toLowerCase().replaceAll(/[^a-z]/g, '')))
}

/** Inactive is the default of the kind: not saying it leaves the state to whoever activates. */
function withState(definition: KubeObject, late: boolean): KubeObject {
  const { state: _given, ...spec } = definition['spec'] as Record<string, unknown>
  return { ...definition, spec: late ? spec : { ...spec, state: 'Active' } }
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
