import type { AuthorizationAttributes, Authorizer as ExpressionAuthorizer } from '@weft/cel'
import {
  type Authorizer,
  nonResourceAttributes,
  resourceAttributes,
  serviceAccountGroups,
  serviceAccountUsername,
  type UserInfo,
} from '../../auth/index.ts'
import type { AdmissionRequest } from '../admission.ts'
import { namespaceOf } from '../matching/criteria.ts'

/** `authorizer` in expressions: what the user of the request may do, or a service account that the expression names. */
export function expressionAuthorizer(authorizer: Authorizer, requester: UserInfo): ExpressionAuthorizer {
  return {
    authorize({ serviceAccount, path, verb, group, resource, subresource, namespace, name }) {
      const user = serviceAccount === undefined ? requester : serviceAccountUser(serviceAccount)
      const attributes =
        path !== ''
          ? nonResourceAttributes(user, verb, path)
          : resourceAttributes(user, { verb, apiGroup: group, resource, subresource, namespace, name })
      return authorizer.authorize(attributes)
    },
  }
}

const serviceAccountUser = ({ namespace, name }: { readonly namespace: string; readonly name: string }): UserInfo => ({
  username: serviceAccountUsername(namespace, name),
  groups: serviceAccountGroups(namespace),
})

/** `authorizer.requestResource`: a check about the very object of the request. */
export const requestResource = (request: AdmissionRequest): Partial<AuthorizationAttributes> => ({
  group: request.type.group,
  resource: request.type.plural,
  subresource: request.subresource,
  namespace: namespaceOf(request),
  name: request.name,
})
