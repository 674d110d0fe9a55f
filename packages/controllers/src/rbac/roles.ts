import { DEPENDENTS_PATH, FUNCTION_PATHS, type KubeObject, PART_OF_WEFT, TERRAFORM_PATHS, TERRAFORM_REVIEWS } from '@weft/api'
import { defineKind, type StaticKind } from '@weft/client'

export interface ResourceRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

export type PolicyRule = ResourceRule | { readonly nonResourceURLs: readonly string[]; readonly verbs: readonly string[] }

export interface ClusterRole extends KubeObject {
  readonly rules?: readonly PolicyRule[]
}

export const clusterRoleKind: StaticKind<ClusterRole> = defineKind({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
})

/**
 * Who has what to do with Weft's kinds. Each has one ClusterRole, put together by Kubernetes from all that carry its
 * label `rbac.weft.dev/aggregate-to-<audience>: "true"`: Weft's own rights, those for the kinds that are there, and
 * whatever an administrator adds.
 *
 * - `controllers`: Weft itself.
 * - `package-operator`: installs packages, and so decides what code runs and which kinds there are; cluster-wide.
 * - `infrastructure-operator`: defines, composes and provisions; cluster-wide.
 * - `application-operator`: claims, requirements, applications and namespaced composites; bound in a namespace.
 * - `browser`: sees what may be asked for (classes, definitions, compositions), and changes nothing.
 */
export const AUDIENCES = ['controllers', 'package-operator', 'infrastructure-operator', 'application-operator', 'browser'] as const
export type Audience = (typeof AUDIENCES)[number]

export const roleName = (audience: Audience): string => `weft-${audience}`
/** The rights for kinds that come and go, kept by the controller. */
export const kindsRoleName = (audience: Audience): string => `weft:kinds:${audience}`
const aggregateLabel = (audience: Audience): string => `rbac.weft.dev/aggregate-to-${audience}`

export const READ: readonly string[] = ['get', 'list', 'watch']
const WRITE: readonly string[] = ['create', 'update', 'patch', 'delete']
export const ALL: readonly string[] = [...READ, ...WRITE]
/** To have others be given such things, by a Composition, without the right to create them oneself. */
export const COMPOSE = 'compose'

/** What adds to an audience's role. */
export const contribution = (name: string, audience: Audience, rules: readonly PolicyRule[]): ClusterRole => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels: { ...PART_OF_WEFT, [aggregateLabel(audience)]: 'true', ...upstream(audience) } },
  rules,
})

/** Whoever Kubernetes calls administrator, editor or viewer of a namespace can work with claims there without further ado. */
function upstream(audience: Audience): Readonly<Record<string, string>> {
  if (audience !== 'application-operator') return {}
  return { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true', 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' }
}

/** The role that is bound: empty by itself. */
const aggregated = (audience: Audience): ClusterRole => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: roleName(audience), labels: PART_OF_WEFT },
  aggregationRule: {
    clusterRoleSelectors: [aggregateLabel(audience), ...(audience === 'controllers' ? COMPOSITION_LABELS : [])].map((label) => ({
      matchLabels: { [label]: 'true' },
    })),
  },
})

/** What administrators let compositions make besides Weft's own kinds. Where each part of Weft has an account of its own, that of composition has this role. */
export const COMPOSITION_ROLE = 'weft-composition'
/** The second is Crossplane's: platforms bring roles that have it. */
const COMPOSITION_LABELS = ['rbac.weft.dev/aggregate-to-composition', 'rbac.crossplane.io/aggregate-to-crossplane'] as const
const compositionRole: ClusterRole = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: COMPOSITION_ROLE, labels: PART_OF_WEFT },
  aggregationRule: { clusterRoleSelectors: COMPOSITION_LABELS.map((label) => ({ matchLabels: { [label]: 'true' } })) },
}

const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[]): ResourceRule => ({
  apiGroups,
  resources,
  verbs,
})

/** What Weft needs on any server, whatever kinds there are. */
const CONTROLLER_RULES: readonly PolicyRule[] = [
  rule(['apiextensions.k8s.io'], ['customresourcedefinitions'], ALL),
  rule(['apiextensions.k8s.io'], ['customresourcedefinitions/status'], ['get']),
  // Connection details are written where their authors ask for them.
  rule([''], ['secrets'], ALL),
  rule(['', 'events.k8s.io'], ['events'], ['create', 'update', 'patch', 'get', 'list']),
  rule([''], ['namespaces'], ['get', 'list', 'watch', 'create']),
  // What applications may be composed of besides Weft's own kinds, where their definition names no account.
  rule([''], ['configmaps'], ALL),
  // Rights for kinds that appear while Weft runs. A ValidatingAdmissionPolicy keeps them to custom kinds and these names.
  rule(['rbac.authorization.k8s.io'], ['clusterroles'], [...ALL, 'escalate']),
]

/** What admission needs. The registration of the webhook is made by whoever installs Weft; Weft keeps its certificate right. */
const WEBHOOK_RULES: readonly PolicyRule[] = [
  // Whoever has Weft make something must be allowed to make it.
  rule(['authorization.k8s.io'], ['subjectaccessreviews'], ['create']),
  {
    ...rule(
      ['admissionregistration.k8s.io'],
      ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
      ['get', 'update', 'patch'],
    ),
    resourceNames: ['weft'],
  },
]

/** What kinds of Terraform providers are made of, active or not: as public as the definitions of kinds. */
const SCHEMA_RULE: PolicyRule = { nonResourceURLs: [`${TERRAFORM_PATHS.definitions}/*`], verbs: ['get'] }
/** To ask providers. A plan is made for those who could write the object, whoever may ask; on a server that is not Weft's own a review takes the question. */
const QUESTION_RULES: readonly PolicyRule[] = [
  { nonResourceURLs: [TERRAFORM_PATHS.plan, TERRAFORM_PATHS.states], verbs: ['post'] },
  rule([TERRAFORM_REVIEWS.group], [TERRAFORM_REVIEWS.plural], ['create']),
]

/** To ask what goes together with something. Each is told of what they may get anyway. */
const DEPENDENTS_RULE: PolicyRule = { nonResourceURLs: [DEPENDENTS_PATH], verbs: ['post'] }

/** To have functions answer for a plan. They are asked what Compositions ask them; whoever may write these may have them asked anything. */
const FUNCTION_RULE: PolicyRule = { nonResourceURLs: [FUNCTION_PATHS.run], verbs: ['post'] }

/** C13: composing as the account that a definition names. */
const IMPERSONATION_RULES: readonly PolicyRule[] = [rule([''], ['serviceaccounts'], ['impersonate'])]

/** The roles that stay the same: those that are bound, and what they hold on any server. */
export const baseRoles = ({ impersonation = true }: { readonly impersonation?: boolean } = {}): readonly ClusterRole[] => [
  ...AUDIENCES.map(aggregated),
  compositionRole,
  contribution('weft:controllers', 'controllers', CONTROLLER_RULES),
  contribution('weft:webhooks', 'controllers', WEBHOOK_RULES),
  ...(impersonation ? [contribution('weft:impersonation', 'controllers', IMPERSONATION_RULES)] : []),
  contribution('weft:package-operator', 'package-operator', [
    rule(['apiextensions.k8s.io'], ['customresourcedefinitions'], READ),
    rule([''], ['events', 'namespaces'], READ),
  ]),
  contribution('weft:application-operator', 'application-operator', [
    rule([''], ['events'], READ),
    // By name, in their own namespace: the connection of what they asked for.
    rule([''], ['secrets'], ['get']),
  ]),
  // What a plan is made from, besides what is on offer.
  contribution('weft:browser', 'browser', [
    rule(['apiextensions.k8s.io'], ['customresourcedefinitions'], READ),
    SCHEMA_RULE,
    DEPENDENTS_RULE,
    FUNCTION_RULE,
  ]),
  contribution('weft:infrastructure-operator', 'infrastructure-operator', [
    rule(['apiextensions.k8s.io'], ['customresourcedefinitions'], READ),
    rule([''], ['events', 'namespaces'], READ),
    rule([''], ['configmaps'], [COMPOSE]),
    SCHEMA_RULE,
    DEPENDENTS_RULE,
    FUNCTION_RULE,
    ...QUESTION_RULES,
  ]),
]
