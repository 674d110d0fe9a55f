import { formatGroupKind, type GroupKind, type Schema } from '@weft/api'

/** A kind that is defined by what is converted: where either side keeps the fields of its machinery, and what they are called there. */
export interface ComposedKind {
  /** A requirement is what a publication offers, and becomes a claim. */
  readonly nature: 'infrastructure' | 'application' | 'requirement'
  /** Below `spec`, of Weft's side. */
  readonly field: 'infrastructure' | 'application'
  /** Below `spec`, of Crossplane's side; undefined: directly in it. */
  readonly place: 'crossplane' | undefined
  /** Its name on the other side, where that is another. */
  readonly renamed?: string
  /** Of its spec. */
  readonly schema: Schema | undefined
  /** Of a requirement: the kind of what it is bound to. */
  readonly composite?: { readonly apiVersion: string; readonly kind: string }
}

export type ComposedKinds = ReadonlyMap<string, ComposedKind>

export const kindKey = (kind: GroupKind): string => formatGroupKind(kind)

/** Does it keep connection details of its own? Those whose machinery is in `spec.crossplane` do not. */
export const publishes = (kind: ComposedKind | undefined): boolean => kind === undefined || kind.place === undefined

/** Machinery fields that both sides have: by Weft's name, Crossplane's. */
export function sharedFields({ nature, place }: ComposedKind): ReadonlyMap<string, string> {
  const both = [
    ['compositionSelector', 'compositionSelector'],
    ['compositionRef', 'compositionRef'],
  ] as const
  if (nature === 'requirement')
    return new Map([...both, ['resourceRef', 'resourceRef'], ['writeConnectionSecretToRef', 'writeConnectionSecretToRef']])
  if (place !== undefined) return new Map(both)
  return new Map([...both, ['writeConnectionSecretToRef', 'writeConnectionSecretToRef'], ['requirementRef', 'claimRef']])
}

/** What Crossplane calls its own in the spec of composites and claims that have no `spec.crossplane`. */
export const LEGACY_FIELDS = [
  'compositionSelector',
  'compositionRef',
  'compositionRevisionRef',
  'compositionRevisionSelector',
  'compositionUpdatePolicy',
  'compositeDeletePolicy',
  'writeConnectionSecretToRef',
  'publishConnectionDetailsTo',
  'resourceRef',
  'resourceRefs',
  'claimRef',
] as const

/** What Weft calls its own in every spec. */
export const WEFT_FIELDS = ['application', 'infrastructure'] as const
