import { hasReason, type KubeObject } from '@weft/api'
import { type Client, type CustomResourceDefinition, customResourceDefinitionKind, isOfKind } from '@weft/client'
import { renderCompositeKind } from '../composite/composite-kind.ts'
import { APPLICATION, INFRASTRUCTURE } from '../composite/composite-type.ts'
import { applicationDefinitionKind, infrastructureDefinitionKind, managedResourceDefinitionKind } from '../definition/kinds.ts'
import { renderManagedKind } from '../managed-definition/render.ts'

/**
 * The CustomResourceDefinition that an object of a package will lead to; undefined when to none, or to none before somebody activates it. Servers take a
 * definition whatever kind it describes, so only this tells whether the kind will be served.
 */
export function resultingKind(object: KubeObject): CustomResourceDefinition | undefined {
  // Without versions: its schema comes when it is activated, and is tried then.
  if (isOfKind(managedResourceDefinitionKind, object))
    return object.spec.state === 'Active' && object.spec.versions !== undefined ? renderManagedKind(object) : undefined
  if (isOfKind(infrastructureDefinitionKind, object)) return renderCompositeKind(INFRASTRUCTURE, object)
  return isOfKind(applicationDefinitionKind, object) ? renderCompositeKind(APPLICATION, object) : undefined
}

/** Throws what the server would answer if the kind were made, or changed into this, now. Changes nothing. */
export async function tryKind(client: Client, crd: CustomResourceDefinition): Promise<void> {
  const { ownerReferences: _owners, ...metadata } = crd.metadata
  const before = await client.find(customResourceDefinitionKind, { name: metadata.name ?? '' })
  if (before !== undefined) {
    await client.update(
      { ...before, spec: { ...before.spec, ...crd.spec, names: { ...before.spec.names, ...crd.spec.names } } },
      { dryRun: true },
    )
    return
  }
  try {
    await client.create({ ...crd, metadata }, { dryRun: true })
  } catch (error) {
    // Made in the same moment, by whom is looked at before.
    if (!hasReason(error, 'AlreadyExists')) throw error
  }
}
