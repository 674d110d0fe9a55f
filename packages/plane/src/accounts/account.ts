import { type Authorizer, ruleAllows, type UserInfo } from '@weft/apiserver'
import { SYSTEM_NAMESPACE, weftKinds } from '@weft/api'
import { CLAIM_KINDS_NAME, isReservedGroup, type PolicyRule } from '@weft/controllers'

/**
 * The accounts that Weft's own controllers act as on the embedded server, each with what its work takes and no more. None is a member of
 * `system:masters`. On Kubernetes there is one account, whose roles an administrator installs.
 *
 * - `watches`: fills the caches that all share, and tells of events. Writes nothing else.
 * - `claims`: claims, groups, and the managed resources and secrets that they are given.
 * - `composition`: definitions and their kinds, composites, requirements and applications; acts as the account that a definition names.
 * - `rights`: the roles for kinds that come and go.
 * - `packages`: packages and what they bring, and the accounts of provider processes.
 * - `programs`: the certificates of what packages run, which are Secrets of Weft's own namespace.
 * - `providers`: managed resources and their secrets, for providers that run in process; acts as the accounts that Objects are made as here.
 */
export type Account = 'watches' | 'claims' | 'composition' | 'rights' | 'packages' | 'programs' | 'providers'

const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups,
  resources,
  verbs,
})
const READ = ['get', 'list', 'watch']
const ALL = [...READ, 'create', 'update', 'patch', 'delete', 'deletecollection']
const RBAC = 'rbac.authorization.k8s.io'

const KIND_DEFINITIONS = rule(['apiextensions.k8s.io'], ['customresourcedefinitions'], ALL)
const SECRETS = rule([''], ['secrets'], ALL)
/** The record of the kinds that were claims. */
const claimKinds = (...verbs: readonly string[]): PolicyRule => ({
  ...rule([''], ['configmaps'], verbs),
  resourceNames: [CLAIM_KINDS_NAME],
})

/** With a namespace: only there. */
type AccountRule = PolicyRule & { readonly namespace?: string }

/** What an account may do besides working with custom kinds. */
const RULES: Readonly<Record<Account, readonly AccountRule[]>> = {
  watches: [rule(['*'], ['*'], READ), rule(['', 'events.k8s.io'], ['events'], ['create', 'update', 'patch'])],
  claims: [SECRETS, claimKinds('get', 'create', 'patch')],
  composition: [KIND_DEFINITIONS, SECRETS, rule([''], ['configmaps'], ALL), rule([''], ['serviceaccounts'], ['impersonate'])],
  rights: [rule([RBAC], ['clusterroles'], [...ALL, 'escalate']), claimKinds('get')],
  packages: [
    KIND_DEFINITIONS,
    rule(['admissionregistration.k8s.io'], ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'], ALL),
    rule([''], ['secrets'], READ),
    // Whose certificates and logs are trusted.
    { ...rule([''], ['configmaps'], ['get']), namespace: SYSTEM_NAMESPACE },
    rule([''], ['serviceaccounts'], ALL),
    rule([''], ['serviceaccounts/token'], ['create']),
    rule([RBAC], ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'], [...ALL, 'escalate', 'bind']),
  ],
  programs: [{ ...rule([''], ['secrets'], ['get', 'create', 'update']), namespace: SYSTEM_NAMESPACE }],
  providers: [
    SECRETS,
    rule(['apiextensions.k8s.io'], ['customresourcedefinitions'], READ),
    // Whether the store was made from a backup.
    rule([''], ['configmaps'], READ),
    // Which control plane this is, for marks on what it manages elsewhere.
    { ...rule([''], ['namespaces'], ['get']), resourceNames: ['kube-system'] },
    // What InjectedIdentity means to provider-kubernetes: an account of this name has the rights that somebody granted it, and no others.
    { ...rule([''], ['serviceaccounts'], ['impersonate']), resourceNames: ['provider-kubernetes'] },
  ],
}

/** Accounts that write custom kinds. */
const KEEPERS: ReadonlySet<Account> = new Set(['claims', 'composition', 'packages', 'providers'])
const ON_KINDS: ReadonlySet<string> = new Set(ALL)
const OWN: ReadonlySet<string> = new Set(weftKinds.map(({ spec }) => `${spec.names.plural}.${spec.group}`))

const PREFIX = 'system:weft:'

/** Is it one of Weft's own? Nobody else has such a name: it is not given to certificates, tokens or service accounts. */
export const isAccount = (username: string): boolean => username.startsWith(PREFIX) && Object.hasOwn(RULES, username.slice(PREFIX.length))

export const accountUser = (account: Account): UserInfo => ({ username: `${PREFIX}${account}`, groups: ['system:authenticated'] })

/** Allows Weft's own accounts what they are for, and decides about nobody else. Pure: no request waits for a role to be written. */
export const accountAuthorizer: Authorizer = {
  authorize(attributes) {
    const { user, verb, apiGroup, resource, resourceRequest } = attributes
    if (!resourceRequest || !user.username.startsWith(PREFIX)) return DENIED
    const account = user.username.slice(PREFIX.length) as Account
    if (!Object.hasOwn(RULES, account)) return DENIED
    if (KEEPERS.has(account) && ON_KINDS.has(verb) && (!isReservedGroup(apiGroup) || OWN.has(`${resource}.${apiGroup}`))) return ALLOWED
    const isAllowed = RULES[account].some(
      (each) => ruleAllows(each, attributes) && (each.namespace === undefined || each.namespace === attributes.namespace),
    )
    return isAllowed ? ALLOWED : DENIED
  },
}

const ALLOWED = { allowed: true, reason: 'an account of Weft itself' }
const DENIED = { allowed: false, reason: '' }
