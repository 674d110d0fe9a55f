import { getOwn, isJsonObject, type JsonObject, type KubeObject } from '@weft/api'
import { type KindInfo, kindKey } from '../../../kinds/kind-info.ts'
import type { WorldSnapshot } from '../../../world/world.ts'

export interface ManagedKind {
  readonly object: KubeObject
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly active: boolean
  /** Names of the policies that activate it. */
  readonly policies: readonly string[]
  readonly details: readonly { readonly name: string; readonly description?: string }[]
}

const DEFINITION = 'ManagedResourceDefinition.apiextensions.crossplane.io'

export const POLICY = 'ManagedResourceActivationPolicy.apiextensions.crossplane.io'

export const isPolicy = (kind: KindInfo): boolean => kindKey(kind) === POLICY

export const isManagedDefinition = (kind: KindInfo): boolean => kindKey(kind) === DEFINITION

/** Managed kinds by API group, as their definitions tell. */
export function managedKinds(world: WorldSnapshot): ReadonlyMap<string, readonly ManagedKind[]> {
  const activatedBy = policiesByDefinition(world)
  const groups = new Map<string, ManagedKind[]>()
  for (const object of world.collections.get(DEFINITION)?.objects.values() ?? []) {
    const spec = jsonObject(object['spec'])
    const names = jsonObject(getOwn(spec, 'names'))
    const managed: ManagedKind = {
      object,
      group: text(getOwn(spec, 'group')),
      kind: text(getOwn(names, 'kind')),
      plural: text(getOwn(names, 'plural')),
      active: getOwn(spec, 'state') === 'Active',
      policies: activatedBy.get(object.metadata.name ?? '') ?? [],
      details: detailsOf(getOwn(spec, 'connectionDetails')),
    }
    const same = groups.get(managed.group)
    if (same === undefined) groups.set(managed.group, [managed])
    else same.push(managed)
  }
  for (const kinds of groups.values()) kinds.sort((a, b) => a.kind.localeCompare(b.kind))
  return new Map([...groups].sort(([a], [b]) => a.localeCompare(b)))
}

/** Each policy lists what it activates in its status. */
function policiesByDefinition(world: WorldSnapshot): ReadonlyMap<string, readonly string[]> {
  const policies = new Map<string, string[]>()
  for (const policy of world.collections.get(POLICY)?.objects.values() ?? []) {
    const activated = getOwn(jsonObject(policy['status']), 'activated')
    for (const name of Array.isArray(activated) ? activated : [])
      policies.set(text(name), [...(policies.get(text(name)) ?? []), policy.metadata.name ?? ''])
  }
  return policies
}

function detailsOf(value: unknown): ManagedKind['details'] {
  return (Array.isArray(value) ? value : []).flatMap((detail: unknown) => {
    const name = text(getOwn(jsonObject(detail), 'name'))
    const description = text(getOwn(jsonObject(detail), 'description'))
    return name === '' ? [] : [{ name, ...(description !== '' && { description }) }]
  })
}

const jsonObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
