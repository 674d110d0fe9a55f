import { formatGroupKind, getOwn, gvkOf, type KubeObject, SYSTEM_NAMESPACE } from '@weft/api'
import { connectionSecretRef, machineryOf, type TemplateSource } from '@weft/composition'
import { hasLabels, withMachinery } from '../binding/spec-reference.ts'
import { CompositeError } from './composite-error.ts'
import { isFor } from './composition-source.ts'
import type { ComposedRef } from './members.ts'
import type { CompositeType } from './composite-type.ts'
import { composedBy } from './record.ts'
import type { CompositeSettings } from './settings.ts'

/** Pure steps of composing: which Compositions a selector means, and what is written into a composite before its members are made (X2). */

/** C18, C19: the Compositions for this composite that have the labels. */
export const labelledCompositions = (
  compositions: readonly KubeObject[],
  labels: Readonly<Record<string, string>>,
  composite: KubeObject,
): readonly KubeObject[] =>
  compositions.filter(
    (candidate) => candidate.metadata.deletionTimestamp === undefined && hasLabels(candidate, labels) && isFor(candidate, gvkOf(composite)),
  )

export function noComposition(composite: KubeObject, wanted: Readonly<Record<string, string>>): CompositeError {
  const labels = Object.entries(wanted).map(([key, value]) => `${key}=${value}`)
  return new CompositeError(
    'CompositionNotFound',
    `no compatible Composition has been found: none for ${formatGroupKind(gvkOf(composite))} has the labels ${labels.join(', ')}`,
  )
}

export interface Naming {
  readonly composition: string
  readonly source: TemplateSource
  readonly settings: CompositeSettings
  /** Absent: those that are written are right. */
  readonly refs?: readonly ComposedRef[]
}

/** The composite with its Composition, the names of its members, and where its secret goes. The same object when it has them. */
export function withMembers(composite: KubeObject, type: CompositeType, { composition, source, settings, refs }: Naming): KubeObject {
  return withMachinery(composite, type.place, {
    compositionRef: canonicalRef(composite, type, composition),
    ...(refs && { composedRefs: refs }),
    ...secretDefault(composite, type, source, settings),
  })
}

/** B25: a Composition that does not exist is referred to all the same, so that the composite says what it waits for. */
export const withComposition = (composite: KubeObject, type: CompositeType, name: string): KubeObject =>
  withMachinery(composite, type.place, { compositionRef: canonicalRef(composite, type, name) })

/** B18: what is written is one object, whatever the author wrote. More than a name is kept. */
function canonicalRef(composite: KubeObject, { place }: CompositeType, name: string): unknown {
  const raw = getOwn(machineryOf(composite, place), 'compositionRef')
  const given: unknown = Array.isArray(raw) ? raw[0] : raw
  const known = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
  return known['name'] === name ? known : { name }
}

/** B38: a composite that was made for a requirement has no author who could say where its secret goes. */
function secretDefault(
  composite: KubeObject,
  type: CompositeType,
  { secretNamespace }: TemplateSource,
  { connectionDetails }: CompositeSettings,
): Record<string, unknown> {
  if (type.name !== 'Infrastructure' || connectionDetails?.length === 0 || connectionSecretRef(composite) !== undefined) return {}
  const bound = getOwn(machineryOf(composite, type.place), 'requirementRef') !== undefined
  const fresh = composedBy(composite) === undefined
  return bound && fresh
    ? { writeConnectionSecretToRef: { namespace: secretNamespace ?? SYSTEM_NAMESPACE, name: composite.metadata.name } }
    : {}
}
