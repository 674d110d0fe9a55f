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

/** Where an intent says how it is to be satisfied: below one of its fields, or (undefined) beside them. */
type Place = 'infrastructure' | 'application' | 'crossplane' | undefined

function placeOf(role: Role | undefined, spec: Schema): Place {
  if (role === 'requirement') return 'infrastructure'
  if (role === 'application') return 'application'
  if (role !== 'composite') return undefined
  return (['crossplane', 'infrastructure'] as const).find((place) => spec.properties?.[place] !== undefined)
}

/** Of a composite resource, besides: who claims it and what it is composed of. */
const HIDDEN_OF_COMPOSITES: readonly string[] = [
  'crossplane',
  'claimRef',
  'resourceRefs',
  'environmentConfigRefs',
  'compositionUpdatePolicy',
]

export interface IntentForm {
  readonly fields: readonly NamedField[]
  /** The schema lets other fields pass. */
  readonly open: boolean
  /** It has connection details. */
  readonly connects: boolean
  readonly place: Place
}

export function formOf(schema: Schema, role: Role | undefined): IntentForm {
  const spec = schema.properties?.['spec'] ?? {}
  const place = placeOf(role, spec)
  const machinery = place === undefined ? spec : (spec.properties?.[place] ?? {})
  return {
    fields: namedFields(spec, role === 'composite' ? new Set([...HIDDEN, ...HIDDEN_OF_COMPOSITES]) : HIDDEN),
    open: spec['x-kubernetes-preserve-unknown-fields'] === true || spec.properties === undefined,
    connects: machinery.properties?.['writeConnectionSecretToRef'] !== undefined,
    place,
  }
}

interface Satisfied {
  readonly place: Place
  /** By a Composition, rather than from a class. */
  readonly isComposed: boolean
}

/** The object that would be created. */
export function intentOf(kind: KindInfo, draft: IntentDraft, { place, isComposed }: Satisfied): KubeObject {
  const labels = pruned(draft.matchLabels)
  const { offer } = draft
  // Crossplane's references to Compositions are a name and nothing else.
  const name = offer?.metadata.name ?? ''
  const isName = isComposed && (place === undefined || place === 'crossplane')
  const reference = offer && (isName ? { name } : { apiVersion: offer.apiVersion, kind: offer.kind, name })
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
    case 'composite':
      return { group: kind.group, kind: kind.kind }
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
