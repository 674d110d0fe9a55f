import type { KubeObject } from '@weft/api'
import { splitServiceAccountUsername, type UserInfo } from '../auth/user.ts'
import { at, listAt, numberAt, textAt, textsAt } from '../kinds/read.ts'

/** What of a request decides where it belongs. */
export interface Asked {
  readonly isResource: boolean
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly path: string
}

/** A FlowSchema, compiled. */
export interface CompiledSchema {
  readonly name: string
  readonly uid: string
  readonly level: string
  readonly precedence: number
  matches(user: UserInfo, asked: Asked): boolean
  /** Whether there is anything of this user's that it matches. */
  concerns(user: UserInfo): boolean
  /** Requests that count as one client; undefined: all of the schema do. */
  flowOf(user: UserInfo, asked: Asked): string | undefined
}

export function compileSchema({ metadata, spec }: KubeObject & { readonly spec?: unknown }): CompiledSchema {
  const rules = listAt(spec, 'rules').map(compileRule)
  const method = textAt(spec, 'distinguisherMethod', 'type')
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    level: textAt(spec, 'priorityLevelConfiguration', 'name'),
    precedence: numberAt(spec, 'matchingPrecedence') ?? 0,
    matches: (user, asked) => rules.some((rule) => rule.isSubject(user) && rule.matches(asked)),
    concerns: (user) => rules.some((rule) => rule.isSubject(user)),
    flowOf: (user, asked) => (method === 'ByUser' ? user.username : method === 'ByNamespace' ? asked.namespace : undefined),
  }
}

interface Rule {
  isSubject(user: UserInfo): boolean
  matches(asked: Asked): boolean
}

function compileRule(rule: unknown): Rule {
  const isSubject = compileSubjects(listAt(rule, 'subjects'))
  const resources = listAt(rule, 'resourceRules').map(compileResourceRule)
  const others = listAt(rule, 'nonResourceRules').map(compileNonResourceRule)
  return { isSubject, matches: (asked) => (asked.isResource ? resources : others).some((matches) => matches(asked)) }
}

function compileSubjects(subjects: readonly unknown[]): (user: UserInfo) => boolean {
  const named = (kind: string, field: string): ReadonlySet<string> =>
    new Set(subjects.filter((subject) => textAt(subject, 'kind') === kind).map((subject) => textAt(subject, field, 'name')))
  const users = named('User', 'user')
  const groups = named('Group', 'group')
  const accounts = subjects.filter((subject) => textAt(subject, 'kind') === 'ServiceAccount')
  const isAccount = (user: UserInfo): boolean => {
    const account = splitServiceAccountUsername(user.username)
    return accounts.some(
      (subject) =>
        textAt(subject, 'serviceAccount', 'namespace') === account?.namespace &&
        ['*', account.name].includes(textAt(subject, 'serviceAccount', 'name')),
    )
  }
  if (users.has('*') || groups.has('*')) return () => true
  return (user) => users.has(user.username) || user.groups.some((group) => groups.has(group)) || (accounts.length > 0 && isAccount(user))
}

const oneOf = (values: readonly string[]): ((value: string) => boolean) => {
  const set = new Set(values)
  return set.has('*') ? () => true : (value) => set.has(value)
}

function compileResourceRule(rule: unknown): (asked: Asked) => boolean {
  const [verb, group, resource, namespace] = ['verbs', 'apiGroups', 'resources', 'namespaces'].map((name) => oneOf(textsAt(rule, name)))
  const cluster = at(rule, 'clusterScope') === true
  return (asked) =>
    verb?.(asked.verb) === true &&
    group?.(asked.group) === true &&
    resource?.(asked.subresource === '' ? asked.resource : `${asked.resource}/${asked.subresource}`) === true &&
    (asked.namespace === '' ? cluster : namespace?.(asked.namespace) === true)
}

function compileNonResourceRule(rule: unknown): (asked: Asked) => boolean {
  const verb = oneOf(textsAt(rule, 'verbs'))
  const urls = textsAt(rule, 'nonResourceURLs')
  const prefixes = urls.map((url) => url.replace(/\*$/, '').replace(/\/?$/, '/'))
  return ({ verb: asked, path }) =>
    verb(asked) && (urls.includes('*') || urls.includes(path) || prefixes.some((prefix) => path.startsWith(prefix)))
}
