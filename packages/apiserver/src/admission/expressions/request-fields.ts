import type { JsonObject } from '@weft/api'
import type { UserInfo } from '../../auth/index.ts'
import type { ResourceType } from '../../registry/index.ts'
import type { AdmissionRequest } from '../admission.ts'
import { namespaceOf } from '../matching/criteria.ts'

/**
 * A request as webhooks get it and as expressions see it in `request`, without its objects. Empty texts are left out, as
 * Kubernetes does, so `has(request.subResource)` means what its author expects.
 */
export function requestFields(request: AdmissionRequest, matched: ResourceType): JsonObject {
  const { type, subresource, name, operation, user, dryRun } = request
  const namespace = namespaceOf(request)
  return {
    kind: kindOf(matched, subresource),
    resource: resourceOf(matched),
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: kindOf(type, subresource),
    requestResource: resourceOf(type),
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: userInfoOf(user),
    dryRun,
    options: optionsOf(request),
  }
}

function kindOf(type: ResourceType, subresource: string): JsonObject {
  const { group, version, kind } = type.subresources.find((part) => part.name === subresource)?.kind ?? type
  return { group, version, kind }
}

const resourceOf = ({ group, version, plural }: ResourceType): JsonObject => ({ group, version, resource: plural })

const userInfoOf = ({ username, uid, groups, extra }: UserInfo): JsonObject => ({
  username,
  ...(uid !== undefined && uid !== '' && { uid }),
  ...(groups.length > 0 && { groups }),
  ...(extra !== undefined && Object.keys(extra).length > 0 && { extra }),
})

/** A patch is, in the end, an update or a create, and its options are told as those. */
function optionsOf({ operation, options }: AdmissionRequest): JsonObject {
  const kind = operation === 'DELETE' ? 'DeleteOptions' : operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions'
  return { ...(options as JsonObject), kind, apiVersion: 'meta.k8s.io/v1' }
}
