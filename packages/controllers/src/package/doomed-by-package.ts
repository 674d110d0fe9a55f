import { formatGroupKind, type KubeObject } from '@weft/api'
import { type CustomResourceDefinition, customResourceDefinitionKind, isOfKind, type StaticKind } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { definedKind } from '../definition/custom-resource-definition.ts'
import { type Doomed, doomedBy } from '../doomed/doomed.ts'
import {
  applicationDefinitionKind,
  compositionKind,
  infrastructureDefinitionKind,
  infrastructurePublicationKind,
  managedResourceDefinitionKind,
} from '../definition/kinds.ts'

/** What a package may install that others depend on. */
export const BEARING_KINDS: readonly StaticKind[] = [
  customResourceDefinitionKind,
  managedResourceDefinitionKind,
  infrastructureDefinitionKind,
  applicationDefinitionKind,
  infrastructurePublicationKind,
  compositionKind,
]

/** The kinds that objects with one of these uids are, or control, the CustomResourceDefinitions of. */
export const kindsDefinedBy = (
  uids: ReadonlySet<string>,
  definitions: readonly CustomResourceDefinition[],
): readonly CustomResourceDefinition[] =>
  definitions.filter((crd) => uids.has(crd.metadata.uid ?? '') || uids.has(controllerOf(crd)?.uid ?? ''))

/**
 * What goes, or is left without a composition, when a package goes; each kind once. `bearing` are the objects of BEARING_KINDS that there are.
 * Only kinds that are served are answered: a package may bring hundreds that nobody activated.
 */
export function doomedByPackage({ metadata: { uid } }: KubeObject, bearing: readonly KubeObject[]): readonly Doomed[] {
  const installed = bearing.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid) === true)
  const uids = new Set(installed.map(({ metadata }) => metadata.uid ?? ''))
  const definitions = bearing.filter((object) => isOfKind(customResourceDefinitionKind, object))
  const deleted = kindsDefinedBy(uids, definitions).map((crd): Doomed => ({ kind: definedKind(crd), effect: 'deletes' }))
  const gone = new Set(deleted.map(({ kind }) => formatGroupKind(kind)))
  const orphaned = installed
    .filter(({ kind }) => kind === compositionKind.kind)
    .map((composition) => doomedBy(composition, () => undefined))
    .filter((doomed) => doomed !== undefined)
    .filter(({ kind }) => !gone.has(formatGroupKind(kind)))
  return [...deleted, ...orphaned]
}
