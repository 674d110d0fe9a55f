import type { ResourceType } from '../../registry/index.ts'

/** Which requests a webhook or a policy is about, as its author wrote it (`RuleWithOperations`). */
export interface Rule {
  readonly operations?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly apiVersions?: readonly string[]
  /** `pods`, `pods/status`, `pods/*`, `*`, `*` + `/scale`, `*` + `/*`. A plain name does not cover subresources. */
  readonly resources?: readonly string[]
  readonly scope?: string
  /** Policies only: the names it is about; none means all. */
  readonly resourceNames?: readonly string[]
}

/** What of a request a rule looks at. */
export interface RuleSubject {
  readonly type: Pick<ResourceType, 'group' | 'version' | 'plural' | 'namespaced'>
  readonly operation: string
  readonly subresource: string
  readonly name: string
}

export function matchesRule(rule: Rule, subject: RuleSubject): boolean {
  const { type, operation } = subject
  return (
    matchesScope(rule.scope, type.namespaced) &&
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, type.group) &&
    includes(rule.apiVersions, type.version) &&
    matchesResource(rule.resources, type.plural, subject.subresource) &&
    matchesName(rule.resourceNames, subject.name)
  )
}

function matchesScope(scope: string | undefined, namespaced: boolean): boolean {
  switch (scope) {
    case undefined:
    case '*':
      return true
    case 'Namespaced':
      return namespaced
    case 'Cluster':
      return !namespaced
    default:
      return false
  }
}

const includes = (items: readonly string[] | undefined, wanted: string): boolean =>
  items !== undefined && (items.includes(wanted) || items.includes('*'))

function matchesResource(resources: readonly string[] | undefined, plural: string, subresource: string): boolean {
  return (resources ?? []).some((each) => {
    const slash = each.indexOf('/')
    const resource = slash < 0 ? each : each.slice(0, slash)
    const part = slash < 0 ? '' : each.slice(slash + 1)
    return (resource === '*' || resource === plural) && (part === '*' || part === subresource)
  })
}

const matchesName = (names: readonly string[] | undefined, name: string): boolean =>
  names === undefined || names.length === 0 || names.includes(name)

const ADMISSION_GROUP = 'admissionregistration.k8s.io'
const ADMISSION_KINDS = new Set([
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
])

/** Admission never judges its own configuration: a broken webhook could not be repaired otherwise. */
export const isAdmissionConfiguration = ({ group, kind }: Pick<ResourceType, 'group' | 'kind'>): boolean =>
  group === ADMISSION_GROUP && ADMISSION_KINDS.has(kind)
