import { deepEqual, forbidden, type KubeObject, type OwnerReference, parseGroupVersion } from '@weft/api'
import { type Authorizer, type Decision, resourceAttributes } from '../auth/index.ts'
import type { Catalog, ResourceType } from '../registry/index.ts'
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts'

/**
 * An owner reference is a way to have things deleted, or to keep them from being deleted. So changing one takes the
 * right to delete the object, and blocking the deletion of an owner takes the right to set the owner's finalizers.
 */
export function ownerReferencePermissions(catalog: Catalog, authorizer: () => Authorizer): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    validate(request) {
      const { object, oldObject } = request
      if (object === undefined || object.metadata.ownerReferences === oldObject?.metadata.ownerReferences) return
      if (deepEqual(ownersOf(object), ownersOf(oldObject))) return
      // Whoever creates an object could as well not have created it.
      if (request.operation !== 'CREATE') assertMayDelete(request, authorizer())
      const blocking = newlyBlocking(object, oldObject)
      if (blocking.length > 0) assertMayFinalize(request, blocking, { catalog, authorizer: authorizer() })
    },
  }
}

const ownersOf = (object: KubeObject | undefined): readonly OwnerReference[] => object?.metadata.ownerReferences ?? []

function assertMayDelete(request: AdmissionRequest, authorizer: Authorizer): void {
  const { user, type, namespace, subresource, name } = request
  const attributes = { verb: 'delete', apiGroup: type.group, apiVersion: type.version, resource: type.plural, subresource, namespace, name }
  const decision = authorizer.authorize(resourceAttributes(user, attributes))
  if (!decision.allowed) throw denied(request, `cannot set an ownerRef on a resource you can't delete: ${told(decision)}`)
}

/** References that block now and did not before, or were not there. */
function newlyBlocking(object: KubeObject, old: KubeObject | undefined): readonly OwnerReference[] {
  const before = new Map(ownersOf(old).map((owner) => [owner.uid, owner.blockOwnerDeletion === true]))
  return ownersOf(object).filter(({ uid, blockOwnerDeletion }) => blockOwnerDeletion === true && before.get(uid) !== true)
}

function assertMayFinalize(
  request: AdmissionRequest,
  owners: readonly OwnerReference[],
  { catalog, authorizer }: { readonly catalog: Catalog; readonly authorizer: Authorizer },
): void {
  const { user, namespace } = request
  const anything = resourceAttributes(user, { verb: 'update', apiGroup: '*', resource: '*', subresource: 'finalizers', name: '*' })
  if (authorizer.authorize(anything).allowed) return
  for (const owner of owners) {
    const type = ownerType(catalog, owner)
    if (type === undefined)
      throw denied(
        request,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${owner.apiVersion} Kind ${owner.kind}: no matches for kind "${owner.kind}" in version "${owner.apiVersion}"`,
      )
    const decision = authorizer.authorize(
      resourceAttributes(user, {
        verb: 'update',
        apiGroup: type.group,
        apiVersion: type.version,
        resource: type.plural,
        subresource: 'finalizers',
        name: owner.name,
        // A namespaced owner is in the namespace of what it owns.
        namespace: type.namespaced ? namespace : '',
      }),
    )
    if (!decision.allowed)
      throw denied(
        request,
        `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${told(decision)}`,
      )
  }
}

function ownerType(catalog: Catalog, { apiVersion, kind }: OwnerReference): ResourceType | undefined {
  const { group, version } = parseGroupVersion(apiVersion)
  return catalog.findKind(group, version, kind)
}

/** Go prints the reason and the error of a decision; there never is an error here. */
const told = ({ reason }: Decision): string => `${reason}, <nil>`

const denied = ({ type, name, object }: AdmissionRequest, why: string): Error =>
  forbidden({ group: type.group, resource: type.plural, name: name || object?.metadata.generateName || 'Unknown' }, why)
