import { type KubeObject, isJsonObject, isPathSegmentName } from '@weft/api'
import { type Column, ageColumn, column, nameColumn } from '../column.ts'
import { type BuiltinKind, builtin } from '../kind.ts'
import { listAt, recordAt, textAt } from '../read.ts'
import { type Strategy, strategy } from '../strategy.ts'
import * as messages from './messages.ts'
import { RBAC_GROUP, validateBinding, validateClusterRole, validateRole, validateRoleRefFixed } from './validation.ts'

const binding = (namespaced: boolean): Strategy =>
  strategy({
    nameRule: isPathSegmentName,
    createOnUpdate: true,
    default: withGroups,
    validate: (object) => validateBinding(object, namespaced),
    validateUpdate: (next, old) => [...validateBinding(next, namespaced), ...validateRoleRefFixed(next, old)],
  })

const subjects = (kind: string) => (object: KubeObject) =>
  listAt(object, 'subjects')
    .filter((subject) => textAt(subject, 'kind') === kind)
    .map((subject) => (kind === 'ServiceAccount' ? accountName(subject) : textAt(subject, 'name')))
    .join(', ')

const accountName = (subject: unknown): string => `${textAt(subject, 'namespace')}/${textAt(subject, 'name')}`

const bindingColumns: readonly Column[] = [
  nameColumn,
  column('Role', 'Role that is granted.', (object) => `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`),
  ageColumn,
  column('Users', 'Users it is granted to.', subjects('User'), { priority: 1 }),
  column('Groups', 'Groups it is granted to.', subjects('Group'), { priority: 1 }),
  column('ServiceAccounts', 'Service accounts it is granted to.', subjects('ServiceAccount'), { priority: 1 }),
]

export const rbacKinds: readonly BuiltinKind[] = [
  builtin({
    group: RBAC_GROUP,
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    message: messages.clusterRoleBinding,
    columns: bindingColumns,
    strategy: binding(false),
  }),
  builtin({
    group: RBAC_GROUP,
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
    message: messages.clusterRole,
    strategy: strategy({
      nameRule: isPathSegmentName,
      createOnUpdate: true,
      validate: (object) => validateClusterRole(object),
      validateUpdate: validateClusterRole,
    }),
  }),
  builtin({
    group: RBAC_GROUP,
    kind: 'RoleBinding',
    plural: 'rolebindings',
    namespaced: true,
    message: messages.roleBinding,
    columns: bindingColumns,
    strategy: binding(true),
  }),
  builtin({
    group: RBAC_GROUP,
    kind: 'Role',
    plural: 'roles',
    namespaced: true,
    message: messages.role,
    strategy: strategy({ nameRule: isPathSegmentName, createOnUpdate: true, validate: validateRole }),
  }),
]

/** The group of roles, users and groups is ours unless said otherwise. */
function withGroups(object: KubeObject): KubeObject {
  const roleRef = recordAt(object, 'roleRef')
  const given = listAt(object, 'subjects')
  const grouped = given.map((subject) =>
    isJsonObject(subject) && textAt(subject, 'apiGroup') === '' && ['User', 'Group'].includes(textAt(subject, 'kind'))
      ? { ...subject, apiGroup: RBAC_GROUP }
      : subject,
  )
  return {
    ...object,
    ...(given.length > 0 && { subjects: grouped }),
    roleRef: textAt(roleRef, 'apiGroup') === '' ? { ...roleRef, apiGroup: RBAC_GROUP } : roleRef,
  }
}
