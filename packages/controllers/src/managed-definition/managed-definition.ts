import { hasReason, messageOf } from '@weft/api'
import { type CustomResourceDefinition, customResourceDefinitionKind } from '@weft/client'
import { controllerOf, definitionVersions } from '@weft/composition'
import type { ReconcileContext } from '@weft/runtime'
import { definedKind } from '../definition/custom-resource-definition.ts'
import { type DefinitionAdapter, DEFINITION_FINALIZER, type Rendering } from '../definition/definition.ts'
import { instancesOf } from '../definition/drain.ts'
import { keepVersions } from '../definition/keep-versions.ts'
import { type ManagedResourceDefinition, managedResourceDefinitionKind } from '../definition/kinds.ts'
import { isReservedGroup } from '../definition/nature.ts'
import { renderManagedKind } from './render.ts'
import { SCHEMA_ANNOTATION, type SchemaSource } from './schema-source.ts'

export const isActive = ({ spec }: ManagedResourceDefinition): boolean => spec.state === 'Active'

/** M3: Active means that the kind exists and follows the MRD; Inactive costs nothing. Its controller is the provider's, which follows CRDs (M12). */
export const managedDefinitionAdapter = (schemas?: SchemaSource): DefinitionAdapter<ManagedResourceDefinition> => ({
  component: 'definition/managed',
  kind: managedResourceDefinitionKind,
  noun: 'ManagedResource',
  finalizer: DEFINITION_FINALIZER,
  // Crossplane gives the kind to the package that brought the definition.
  isKeptElsewhere: (definition, crd) => {
    const { uid } = controllerOf(crd) ?? {}
    return uid !== undefined && uid === controllerOf(definition)?.uid
  },
  async render(definition, context) {
    const { group } = definition.spec
    if (isReservedGroup(group))
      return {
        type: 'blocked',
        message: `the group ${group} belongs to Kubernetes or to Weft itself: managed kinds are in groups of their provider`,
      }
    if (!isActive(definition))
      return {
        type: 'unwanted',
        message: 'no ManagedResourceActivationPolicy has activated it; set spec.state to Active, or name it in one',
      }
    const found = await withSchema(definition, context, schemas)
    return found.missing === undefined ? rendering(renderManagedKind(found.definition)) : { type: 'blocked', message: found.missing }
  },
})

function rendering(crd: CustomResourceDefinition): Rendering {
  if (crd.spec.versions.length > 0) return { type: 'wanted', crd }
  return { type: 'blocked', message: 'it has no versions, and no provider that runs here knows its schema' }
}

/**
 * The definition with the schema that it should have, written before anything is made of it: whoever reads the definition sees what is served.
 * What objects have under the schema of before, they keep.
 */
async function withSchema(
  definition: ManagedResourceDefinition,
  { client, cached }: Pick<ReconcileContext<ManagedResourceDefinition>, 'client' | 'cached'>,
  schemas: SchemaSource | undefined,
): Promise<{ readonly definition: ManagedResourceDefinition; readonly missing?: string }> {
  const wanted = schemas?.schemaOf(definition)
  if (schemas === undefined || wanted === undefined || definition.metadata.annotations?.[SCHEMA_ANNOTATION] === wanted)
    return { definition }
  try {
    const { versions: expanded, connectionDetails } = await schemas.expand(definition)
    const served = cached(customResourceDefinitionKind).get({ name: definition.metadata.name ?? '' })
    const before = [...definitionVersions(definition.spec.versions), ...(served?.spec.versions ?? [])]
    const versions = await keepVersions(expanded, before, async () =>
      served === undefined ? [] : instancesOf(client, definedKind(served)),
    )
    // Of the definition that this was worked out from: a newer one may have fields more.
    const { resourceVersion } = definition.metadata
    const body = { metadata: { resourceVersion, annotations: { [SCHEMA_ANNOTATION]: wanted } }, spec: { versions, connectionDetails } }
    const ref = { name: definition.metadata.name ?? '' }
    return { definition: await client.patch(managedResourceDefinitionKind, ref, { type: 'merge', body }) }
  } catch (error) {
    if (hasReason(error, 'Conflict')) throw error
    // What is there already stays in use.
    if (definition.spec.versions !== undefined) return { definition }
    return { definition, missing: `its schema is not available: ${messageOf(error)}` }
  }
}
