import { serviceAccountUsername, type UserInfo } from '../user.ts'
import type { RoleBinding, Subject } from './rbac-objects.ts'

/** A binding that applies to a user, and the subject through which it does. */
export interface Grant {
  readonly binding: RoleBinding
  readonly subject: Subject
}

/** Bindings by subject, so that a decision looks at a user's own bindings and not at everybody's. */
export interface SubjectIndex {
  /** In the order of the bindings, each once. */
  grantsFor(user: UserInfo): Grant[]
}

/** `namespace`: of the bindings; empty for ClusterRoleBindings, where a ServiceAccount must name its own. */
export function indexSubjects(bindings: readonly RoleBinding[], namespace: string): SubjectIndex {
  const users = new Map<string, number[]>()
  const groups = new Map<string, number[]>()
  bindings.forEach(({ subjects }, position) => {
    for (const subject of subjects ?? []) {
      if (subject.kind === 'Group') append(groups, subject.name, position)
      else {
        const username = usernameOf(subject, namespace)
        if (username !== undefined) append(users, username, position)
      }
    }
  })
  return {
    grantsFor(user) {
      const positions = new Set(users.get(user.username))
      for (const group of user.groups) for (const position of groups.get(group) ?? []) positions.add(position)
      return [...positions]
        .sort((a, b) => a - b)
        .map((position) => {
          const binding = bindings[position] as RoleBinding
          return { binding, subject: (binding.subjects ?? []).find((subject) => appliesTo(subject, user, namespace)) as Subject }
        })
    },
  }
}

function append(index: Map<string, number[]>, key: string, position: number): void {
  const list = index.get(key)
  if (list === undefined) index.set(key, [position])
  else if (list.at(-1) !== position) list.push(position)
}

/** The user name a User or ServiceAccount subject stands for. */
function usernameOf(subject: Subject, namespace: string): string | undefined {
  if (subject.kind === 'User') return subject.name
  if (subject.kind !== 'ServiceAccount') return undefined
  const home = subject.namespace || namespace
  return home === '' ? undefined : serviceAccountUsername(home, subject.name)
}

function appliesTo(subject: Subject, user: UserInfo, namespace: string): boolean {
  return subject.kind === 'Group' ? user.groups.includes(subject.name) : usernameOf(subject, namespace) === user.username
}

/** `ClusterRoleBinding "b" of ClusterRole "r" to Group "g"`: how a decision's reason names its source. */
export function describeGrant({ binding, subject }: Grant, namespace: string): string {
  const name = binding.metadata.name ?? ''
  const { kind, name: role } = binding.roleRef
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name
  const what = namespace === '' ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${namespace}"`
  return `${what} of ${kind} "${role}" to ${subject.kind} "${who}"`
}
