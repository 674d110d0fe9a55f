import { getOwn, type GroupKind, isJsonObject, type KubeObject, specOf } from '@weft/api'
import type { ReferenceTarget } from '@weft/composition'

export const REFERENCE_DEFINITION_KIND: GroupKind = { group: 'weft.dev', kind: 'ResourceReferenceDefinition' }

/** Which kinds the reference fields of a kind may point to. Asked in every reconcile, since definitions come and go. */
export type TargetSource = (from: GroupKind) => readonly ReferenceTarget[]

/**
 * The targets that ResourceReferenceDefinitions state. A definition that names its kind is more particular than one for any kind, and
 * so comes first: the walker takes the first that fits a field.
 */
export function targetsFrom(definitions: Iterable<KubeObject>): TargetSource {
  const particular = new Map<string, ReferenceTarget[]>()
  const general: ReferenceTarget[] = []
  for (const definition of definitions) {
    const read = readDefinition(definition)
    if (read === undefined) continue
    if (read.from === undefined) general.push(read.target)
    else {
      const key = keyOf(read.from)
      const list = particular.get(key)
      if (list === undefined) particular.set(key, [read.target])
      else list.push(read.target)
    }
  }
  return (from) => [...(particular.get(keyOf(from)) ?? []), ...general]
}

const keyOf = ({ group, kind }: GroupKind): string => `${group}/${kind}`

function readDefinition(definition: KubeObject): { from: GroupKind | undefined; target: ReferenceTarget } | undefined {
  const spec = specOf(definition)
  const field = getOwn(spec, 'field')
  const targets = getOwn(spec, 'targets')
  if (typeof field !== 'string' || field === '' || !Array.isArray(targets)) return undefined
  const kinds = targets.flatMap((target) => groupKindOf(target) ?? [])
  if (kinds.length === 0) return undefined
  const [valueField, attribute] = [getOwn(spec, 'valueField'), getOwn(spec, 'attribute')]
  return {
    from: groupKindOf(getOwn(spec, 'from')),
    target: {
      field,
      kinds,
      ...(getOwn(spec, 'many') === true && { many: true }),
      ...(typeof valueField === 'string' && valueField !== '' && { valueField }),
      ...(typeof attribute === 'string' && attribute !== '' && { attribute }),
    },
  }
}

function groupKindOf(value: unknown): GroupKind | undefined {
  if (!isJsonObject(value)) return undefined
  const group = getOwn(value, 'group') ?? ''
  const kind = getOwn(value, 'kind')
  return typeof group === 'string' && typeof kind === 'string' && kind !== '' ? { group, kind } : undefined
}
