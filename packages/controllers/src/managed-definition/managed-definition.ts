import { type DefinitionAdapter, DEFINITION_FINALIZER } from '../definition/definition.ts'
import { type ManagedResourceDefinition, managedResourceDefinitionKind } from '../definition/kinds.ts'
import { isReservedGroup } from '../definition/nature.ts'
import { renderManagedKind } from './render.ts'

export const isActive = ({ spec }: ManagedResourceDefinition): boolean => spec.state === 'Active'

/** M3: Active means that the kind exists and follows the MRD; Inactive costs nothing. Its controller is the provider's, which follows CRDs (M12). */
export const managedDefinitionAdapter: DefinitionAdapter<ManagedResourceDefinition> = {
  component: 'definition/managed',
  kind: managedResourceDefinitionKind,
  noun: 'ManagedResource',
  finalizer: DEFINITION_FINALIZER,
  render(definition) {
    const { group } = definition.spec
    if (isReservedGroup(group))
      return {
        type: 'blocked',
        message: `the group ${group} belongs to Kubernetes or to Weft itself: managed kinds are in groups of their provider`,
      }
    return isActive(definition)
      ? { type: 'wanted', crd: renderManagedKind(definition) }
      : { type: 'unwanted', message: 'no ManagedResourceActivationPolicy has activated it; set spec.state to Active, or name it in one' }
  },
}
