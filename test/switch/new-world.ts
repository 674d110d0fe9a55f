import { gvkOf, isJsonObject, type KubeObject } from '@weft/api'
import { controllerOf } from '@weft/composition'

/**
 * Two worlds that were made of the same input by different control planes have other uids, times and random names. Here each object is told apart by where
 * it stands (whose it is, and as what), and everything that is by chance is replaced by that.
 */
export function canonical(world: readonly KubeObject[]): ReadonlyMap<string, unknown> {
  const byUid = new Map(world.map((object) => [object.metadata.uid ?? '', object]))
  const places = new Map(world.map((object) => [object, placeOf(object, byUid)]))
  const chance = world
    .flatMap((object) => {
      const place = places.get(object) ?? ''
      const { uid = '', name = '' } = object.metadata
      return [[uid, `<uid of ${place}>`] as const, ...(isByChance(object) ? [[name, `<name of ${place}>`] as const] : [])]
    })
    // Longer ones first: a name may begin with another.
    .sort(([a], [b]) => b.length - a.length)
  return new Map(world.map((object) => [places.get(object) ?? '', told(object, chance)]))
}

const RESOURCE_NAME = 'crossplane.io/composition-resource-name'
const CLAIM_NAME = 'crossplane.io/claim-name'

function placeOf(object: KubeObject, byUid: ReadonlyMap<string, KubeObject>): string {
  const { kind } = gvkOf(object)
  const { name = '', namespace = '', labels = {}, annotations = {} } = object.metadata
  const owner = byUid.get(controllerOf(object)?.uid ?? '')
  if (owner !== undefined) {
    const as = annotations[RESOURCE_NAME] ?? (kind === 'Secret' ? 'secret' : name)
    return `${placeOf(owner, byUid)} > ${kind} ${as}`
  }
  const claim = isJsonObject(object['spec']) && isJsonObject(object['spec']['claimRef']) ? labels[CLAIM_NAME] : undefined
  return claim === undefined ? `${kind} ${namespace}/${name}` : `${kind} of ${labels['crossplane.io/claim-namespace'] ?? ''}/${claim}`
}

/** Names that follow from a uid, or were drawn. */
const isByChance = ({ metadata, ...rest }: KubeObject): boolean =>
  /-[0-9a-f]{12}$/.test(metadata.name ?? '') ||
  metadata.generateName !== undefined ||
  (isJsonObject(rest['spec']) && isJsonObject(rest['spec']['claimRef'])) ||
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.test(metadata.name ?? '')

/** References are in the order of names, which are by chance. */
const bySelf = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

function told(object: KubeObject, chance: readonly (readonly [string, string])[]): unknown {
  const { resourceVersion: _version, creationTimestamp: _time, generation: _generation, managedFields = [], ...metadata } = object.metadata
  const owners = managedFields
    // Whose a condition is depends on who was quicker; what providers write is theirs.
    .filter(
      ({ manager = '', subresource }) =>
        subresource === undefined && /^(crossplane|kubectl|apiextensions\.crossplane\.io\/.*)$/.test(manager),
    )
    // Composed resources are owned under a hash of the composite's name, which may be by chance.
    .map(({ time: _when, ...entry }) => ({ ...entry, manager: entry.manager?.replace(/(composed\/)[0-9a-f]{64}$/, '$1<hash>') }))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  let text = JSON.stringify({ ...object, metadata: { ...metadata, managedFields: owners } })
  for (const [before, after] of chance) if (before !== '') text = text.replaceAll(before, after)
  return without(JSON.parse(text))
}

const keyOf = (entry: object): string => {
  const { manager, operation, subresource } = entry as Record<string, string | undefined>
  return [manager, operation, subresource].join(' ')
}

/** Times and generations are each world's own. */
function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'resourceRefs' && Array.isArray(item)
        ? [...item].sort(bySelf)
        : /^(lastTransitionTime|observedGeneration|lastPublishedTime)$/.test(key)
          ? '<its own>'
          : without(item),
    ]),
  )
}
