import { getOwn, type GroupKind, isJsonObject, type KubeObject, type Schema } from '@weft/api'
import { type NamedField, namedFields } from '../../form/field.ts'
import { overlaid, pruned } from '../../form/value.ts'
import { apiVersionOf, type KindInfo, type Role, roleOf } from '../../../kinds/kind-info.ts'
import { compositeOfClaim } from '../../../world/makes.ts'
import type { WorldSnapshot } from '../../../world/world.ts'

/** What the form asks for, besides the fields of the schema. */
export interface IntentDraft {
  readonly name: string
  readonly namespace: string
  /** The class or Composition to use; absent: the default, or by labels. */
  readonly offer?: KubeObject | undefined
  readonly matchLabels: Readonly<Record<string, string>>
  readonly secretName: string
  readonly spec: unknown
  /** Fields that the schema does not list. */
  readonly more: unknown
}

/** The fields that the machinery fills in, or that have an input of their own. */
const HIDDEN: ReadonlySet<string> = new Set([
  'classRef',
  'classSelector',
  'resourceRef',
  'writeConnectionSecretToRef',
  'infrastructure',
  'application',
  'compositionRef',
  'compositionSelector',
  'compositionRevisionRef',
  'compositionRevisionSelector',
])

/** Where an intent of this role says how it is to be satisfied: beside its fields, or below one of them. */
const placeOf = (role: Role | undefined): 'infrastructure' | 'application' | undefined =>
  role === 'requirement' ? 'infrastructure' : role === 'application' ? 'application' : undefined

export interface IntentForm {
  readonly fields: readonly NamedField[]
  /** The schema lets other fields pass. */
  readonly open: boolean
  /** It has connection details. */
  readonly connects: boolean
}

export function formOf(schema: Schema, role: Role | undefined): IntentForm {
  const spec = schema.properties?.['spec'] ?? {}
  const place = placeOf(role)
  const machinery = place === undefined ? spec : (spec.properties?.[place] ?? {})
  return {
    fields: namedFields(spec, HIDDEN),
    open: spec['x-kubernetes-preserve-unknown-fields'] === true || spec.properties === undefined,
    connects: machinery.properties?.['writeConnectionSecretToRef'] !== undefined,
  }
}

/** The object that would be created. */
export function intentOf(
  kind: KindInfo,
  role: Role | undefined,
  draft: IntentDraft,
  isComposed: boolean = placeOf(role) !== undefined,
): KubeObject {
  const place = placeOf(role)
  const labels = pruned(draft.matchLabels)
  const { offer } = draft
  // Of a Composition that is named beside the other fields, everything but the name is known already.
  const name = offer?.metadata.name ?? ''
  const reference = offer && (isComposed && place === undefined ? { name } : { apiVersion: offer.apiVersion, kind: offer.kind, name })
  const machinery = pruned({
    [isComposed ? 'compositionRef' : 'classRef']: reference,
    [isComposed ? 'compositionSelector' : 'classSelector']:
      offer === undefined && labels !== undefined ? { matchLabels: labels } : undefined,
    writeConnectionSecretToRef: { name: draft.secretName.trim() },
  })
  const own = overlaid(pruned(draft.spec) ?? {}, pruned(draft.more) ?? {})
  const spec = overlaid(own, place === undefined || machinery === undefined ? machinery : { [place]: machinery })
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name: draft.name.trim(), ...(kind.namespaced && { namespace: draft.namespace.trim() || 'default' }) },
    spec: spec ?? {},
  }
}

/** The kind whose Compositions an intent can choose from; undefined for claims that have classes. */
export function composedKind(world: WorldSnapshot, kind: KindInfo): GroupKind | undefined {
  switch (roleOf(kind)) {
    case 'application':
      return kind
    case 'requirement':
      return { group: kind.group, kind: kind.kind.replace(/Requirement$/, '') }
    case 'claim':
      return compositeOfClaim(world, kind)
    default:
      return undefined
  }
}

/** A sentence about the kind, from its schema. */
export function descriptionOf(schema: Schema | undefined): string | undefined {
  const text = schema === undefined || !isJsonObject(schema) ? undefined : getOwn(schema, 'description')
  return typeof text === 'string' && text !== '' ? text : undefined
}
