import { isReservedGroup } from '../definition/nature.ts'
import { definedKind } from '../definition/custom-resource-definition.ts'
import type { DefinitionAdapter, MemberRef } from '../definition/definition.ts'
import type { KindControllers } from '../definition/kind-controllers.ts'
import type { KubeObject } from '@weft/api'
import { CORE_MANAGER } from '../definition/core-manager.ts'
import { RenderError, renderClaimCrd, renderXrCrd } from './render-crds.ts'
import { crossplaneWords, DEFINED, OFFERED } from './words.ts'
import { claimCrdName, type CompositeResourceDefinition, compositeResourceDefinitionKind, offersClaim } from './xrd.ts'

/** K17: each side of a definition holds it until its own kind is gone. */
const DEFINED_FINALIZER = 'defined.apiextensions.crossplane.io'
const OFFERED_FINALIZER = 'offered.apiextensions.crossplane.io'

export interface DefinedControllers extends KindControllers<CompositeResourceDefinition> {
  /** What an instance made and controls. */
  membersOf?(instance: KubeObject): readonly MemberRef[]
}

/** Defines the composite resource. */
export const definedAdapter = (controllers: DefinedControllers): DefinitionAdapter<CompositeResourceDefinition> => ({
  component: 'defined/compositeresourcedefinition',
  kind: compositeResourceDefinitionKind,
  noun: DEFINED.noun,
  words: crossplaneWords(DEFINED),
  finalizer: DEFINED_FINALIZER,
  fieldManager: CORE_MANAGER,
  crdName: ({ metadata }) => metadata.name ?? '',
  render(xrd) {
    mustBeOwnGroup(xrd)
    return { type: 'wanted', crd: renderXrCrd(xrd) }
  },
  start: (xrd, crd) => controllers.start(xrd, definedKind(crd)),
  stop: (name) => controllers.stop(name),
  ...(controllers.membersOf && { membersOf: controllers.membersOf }),
})

/** Offers the claim, where there is one. */
export const offeredAdapter = (controllers: DefinedControllers): DefinitionAdapter<CompositeResourceDefinition> => ({
  component: 'offered/compositeresourcedefinition',
  kind: compositeResourceDefinitionKind,
  noun: OFFERED.noun,
  words: crossplaneWords(OFFERED),
  finalizer: OFFERED_FINALIZER,
  fieldManager: CORE_MANAGER,
  crdName: claimCrdName,
  render(xrd) {
    if (!offersClaim(xrd)) return { type: 'unwanted', message: 'it offers no claim' }
    mustBeOwnGroup(xrd)
    return { type: 'wanted', crd: renderClaimCrd(xrd) }
  },
  start: (xrd, crd) => controllers.start(xrd, definedKind(crd)),
  stop: (name) => controllers.stop(name),
})

/** Whoever may write definitions must not be able to define kinds of Kubernetes or of the control plane itself. */
function mustBeOwnGroup({ spec: { group } }: CompositeResourceDefinition): void {
  if (isReservedGroup(group))
    throw new RenderError(`the group ${group} belongs to Kubernetes or to the control plane: define kinds in a group of your own`)
}
