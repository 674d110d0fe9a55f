import { checkBindingWrite, checkRoleWrite, RBAC_GROUP, type RbacAuthorizer, type RoleBinding } from '../auth/index.ts'
import type { AdmissionPlugin } from './admission.ts'

/** Nobody grants what they do not hold. */
export function rbacEscalation(authorizer: () => RbacAuthorizer): AdmissionPlugin {
  return {
    name: 'RbacEscalation',
    validate({ operation, type, object, oldObject, user, namespace, name }) {
      if (type.group !== RBAC_GROUP || object === undefined || operation === 'DELETE') return
      switch (type.plural) {
        case 'roles':
        case 'clusterroles':
          checkRoleWrite(
            {
              user,
              resource: type.plural,
              namespace,
              requestName: operation === 'CREATE' ? '' : name,
              role: object,
              ...(oldObject && { old: oldObject }),
            },
            authorizer(),
          )
          break
        case 'rolebindings':
        case 'clusterrolebindings':
          checkBindingWrite(
            { user, resource: type.plural, namespace, binding: object as RoleBinding, ...(oldObject && { old: oldObject as RoleBinding }) },
            authorizer(),
          )
          break
        default:
      }
    },
  }
}
