import { isDns1123Subdomain, type KubeObject, SYSTEM_NAMESPACE } from '@weft/api'
import type { Cluster } from '../../cluster/index.ts'
import { CommandFailure } from '../../report.ts'

/** The roles that Weft ships for people; docs/kubernetes.md says what each may do. */
export const USER_ROLES = ['application-operator', 'infrastructure-operator', 'package-operator', 'browser'] as const
export type UserRole = (typeof USER_ROLES)[number]

/** On everything that belongs to an account: whose it is. What does not carry it is none of ours, and is left alone. */
export const USER_LABEL = 'weft.dev/user'
export const ROLE_LABEL = 'weft.dev/role'

/** Where accounts live that are of no single namespace. */
const RBAC = 'rbac.authorization.k8s.io'

export const serviceAccountKind = { group: '', version: 'v1', kind: 'ServiceAccount' }

/** Only the role of an application operator ends at a namespace; such an account lives in it, the others in Weft's own. */
export const homeOf = (role: UserRole, namespace: string): string => (role === 'application-operator' ? namespace : SYSTEM_NAMESPACE)

export function checkUserName(name: string): void {
  const [problem] = isDns1123Subdomain(name)
  if (problem !== undefined || name.length > 40)
    throw new CommandFailure(`${JSON.stringify(name)} cannot be the name of an account: use up to 40 lower-case letters, digits and dashes`)
}

/** The account and what gives it its role, in the order in which they are made. */
export function accountObjects(name: string, role: UserRole, namespace: string): readonly KubeObject[] {
  const home = homeOf(role, namespace)
  const labels = { [USER_LABEL]: name, [ROLE_LABEL]: role }
  const metadata = { name: `weft-user-${name}`, labels }
  const subject = { kind: 'ServiceAccount', name: metadata.name, namespace: home }
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: `weft-${role}` }
  const isLocal = role === 'application-operator'
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...metadata, namespace: home } },
    {
      apiVersion: `${RBAC}/v1`,
      kind: isLocal ? 'RoleBinding' : 'ClusterRoleBinding',
      metadata: { ...metadata, name: `weft-user-${name}-${role}`, ...(isLocal && { namespace }) },
      subjects: [subject],
      roleRef,
    },
  ]
}

/** The account of that name in the namespace, or among those of no single one. */
export async function findAccount(cluster: Cluster, name: string): Promise<KubeObject | undefined> {
  for (const namespace of new Set([cluster.namespace, SYSTEM_NAMESPACE])) {
    const found = await cluster.client.find(serviceAccountKind, { name: `weft-user-${name}`, namespace })
    if (found?.metadata.labels?.[USER_LABEL] === name) return found
  }
  return undefined
}
