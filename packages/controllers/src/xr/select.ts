import { deepEqual, getOwn, isJsonObject, type KubeObject, matchesLabels, requirementsOf, specOf } from '@weft/api'
import { conditionOf, controllerOf } from '@weft/composition'
import { numberOf } from '../revision/revisions.ts'
import { ComposeError } from './compose-error.ts'
import { type Machinery, machineryOf, nameOf, withMachinery } from './machinery.ts'
import type { XrSettings } from './settings.ts'

/** What is known of Compositions and their revisions. */
export interface KnownCompositions {
  composition(name: string): KubeObject | undefined
  compositions(): readonly KubeObject[]
  revision(name: string): KubeObject | undefined
  /** Those that say they are of this Composition. */
  revisionsOf(composition: string): readonly KubeObject[]
}

/** K45: which Composition. The composite refers to it afterwards. Pure but for the random choice. */
export function selectComposition(xr: KubeObject, settings: XrSettings, known: KnownCompositions, random: () => number): KubeObject {
  const { scope, enforced, fallback } = settings
  const { compositionRef, compositionSelector } = machineryOf(xr, scope)
  const current = nameOf(compositionRef)
  const referring = (name: string): KubeObject => withMachinery(xr, scope, { compositionRef: { name } })
  if (enforced !== undefined) return current === enforced ? xr : referring(enforced)
  if (current !== undefined) return xr
  if (compositionSelector === undefined && fallback !== undefined) return referring(fallback)
  const requirements = requirementsOf({ matchLabels: compositionSelector?.matchLabels ?? {} })
  const candidates = known
    .compositions()
    .filter((composition) => isForType(composition, xr) && matchesLabels(requirements, composition.metadata.labels))
  const chosen = candidates[Math.min(Math.floor(random() * candidates.length), candidates.length - 1)]
  if (chosen === undefined) throw new ComposeError('cannot select Composition: no compatible Compositions found')
  return referring(chosen.metadata.name ?? '')
}

/** Exactly: another version of the kind is another type. */
export function isForType(composition: KubeObject, { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean {
  const spec = specOf(composition)
  const type = getOwn(spec, 'compositeTypeRef')
  return isJsonObject(type) && type['apiVersion'] === apiVersion && type['kind'] === kind
}

/** K47: what the definition says of revisions, where the composite says nothing. */
export function selectRevisionSelector(xr: KubeObject, { scope, revisionLabels }: XrSettings): KubeObject {
  const { compositionRevisionSelector, compositionRevisionRef } = machineryOf(xr, scope)
  if (revisionLabels === undefined || compositionRevisionSelector !== undefined || nameOf(compositionRevisionRef) !== undefined) return xr
  return withMachinery(xr, scope, { compositionRevisionSelector: { matchLabels: revisionLabels } })
}

export interface SelectedRevision {
  readonly xr: KubeObject
  readonly revision: KubeObject
}

/** K48: which revision of it. The composite refers to it afterwards. */
export function selectRevision(given: KubeObject, { scope }: XrSettings, known: KnownCompositions): SelectedRevision {
  const machinery = machineryOf(given, scope)
  const current = nameOf(machinery.compositionRevisionRef)
  if (machinery.compositionUpdatePolicy === 'Manual' && current !== undefined) {
    const revision = known.revision(current)
    if (revision === undefined)
      throw new ComposeError(
        `cannot fetch Composition: cannot get CompositionRevision: CompositionRevision.apiextensions.crossplane.io "${current}" not found`,
      )
    return { xr: given, revision }
  }
  const name = nameOf(machinery.compositionRef) ?? ''
  const composition = known.composition(name)
  if (composition === undefined)
    throw new ComposeError(`cannot fetch Composition: cannot get Composition: Composition.apiextensions.crossplane.io "${name}" not found`)
  const labels = labelsFor(machinery)
  const revisions = known.revisionsOf(name)
  const revision = latestRevision(revisions, composition, labels)
  if (revision === undefined)
    throw new ComposeError(
      `cannot fetch Composition: no compatible CompositionRevisions found: ${latestRevision(revisions, composition) === undefined ? `Composition "${name}" has none yet` : `none of Composition "${name}" has the labels ${labelText(labels)}`}`,
    )
  const ref = { name: revision.metadata.name ?? '' }
  if (deepEqual(machinery.compositionRevisionRef, ref)) return { xr: given, revision }
  return { xr: withMachinery(given, scope, { compositionRevisionRef: ref }), revision }
}

const labelsFor = ({ compositionUpdatePolicy, compositionRevisionSelector }: Machinery): Readonly<Record<string, string>> =>
  compositionUpdatePolicy === 'Automatic' ? (compositionRevisionSelector?.matchLabels ?? {}) : {}

const labelText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')

/** The one with the highest number, among those that the Composition controls. */
export function latestRevision(
  revisions: readonly KubeObject[],
  { metadata: { uid } }: KubeObject,
  matchLabels: Readonly<Record<string, string>> = {},
): KubeObject | undefined {
  const requirements = requirementsOf({ matchLabels })
  return revisions
    .filter((revision) => controllerOf(revision)?.uid === uid && matchesLabels(requirements, revision.metadata.labels))
    .reduce<KubeObject | undefined>((best, each) => (best === undefined || numberOf(each) > numberOf(best) ? each : best), undefined)
}

/** K44: a pipeline with a function that cannot compose is not run. */
export function mustBeValid(revision: KubeObject): void {
  const valid = conditionOf(revision, 'ValidPipeline')
  if (valid?.status === 'False')
    throw new ComposeError(
      `selected CompositionRevision ${revision.metadata.name ?? ''} does not have a valid function pipeline: ${valid.message ?? 'pipeline status unknown'}`,
    )
}
