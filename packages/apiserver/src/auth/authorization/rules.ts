import { goQuoteList } from '@weft/api'
import type { Attributes } from './attributes.ts'
import type { PolicyRule } from './rbac-objects.ts'

/** What RBAC's rules mean: which requests one allows, and whether a set of rules contains another. Exactly Kubernetes' semantics. */
const ALL = '*'
const none: readonly string[] = []

export const matchesVerb = ({ verbs }: PolicyRule, verb: string): boolean => verbs.includes(ALL) || verbs.includes(verb)

export function matchesGroup({ apiGroups = none }: PolicyRule, group: string): boolean {
  return apiGroups.includes(ALL) || apiGroups.includes(group)
}

// `combined` is `resource` or `resource/subresource`. A rule for `pods` does not match `pods/log`, `*` matches both, `*/log` matches
// the log of every resource, and `pods/*` is no wildcard: it matches nothing that exists.
export function matchesResource({ resources = none }: PolicyRule, combined: string, subresource: string): boolean {
  for (const resource of resources) {
    if (resource === ALL || resource === combined) return true
    if (subresource !== '' && resource.length === subresource.length + 2 && resource.startsWith('*/') && resource.endsWith(subresource))
      return true
  }
  return false
}

export function matchesName({ resourceNames }: PolicyRule, name: string): boolean {
  return resourceNames === undefined || resourceNames.length === 0 || resourceNames.includes(name)
}

export function matchesPath({ nonResourceURLs = none }: PolicyRule, path: string): boolean {
  return nonResourceURLs.some((url) => urlCovers(url, path))
}

/** Does a rule allow this request for a resource? */
export function ruleAllows(rule: PolicyRule, { verb, apiGroup, resource, subresource, name }: Attributes): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`
  return matchesVerb(rule, verb) && matchesGroup(rule, apiGroup) && matchesResource(rule, combined, subresource) && matchesName(rule, name)
}

/** `*` at the end stands for any rest; elsewhere it is an ordinary character. */
function urlCovers(owner: string, path: string): boolean {
  return owner === path || (owner.endsWith(ALL) && path.startsWith(owner.replace(/\*+$/, '')))
}

/** Rules with one verb, one resource and one name (or one URL) each, together equal to `rule`. */
export function breakDown(rule: PolicyRule): PolicyRule[] {
  const { verbs, apiGroups = none, resources = none, resourceNames = none, nonResourceURLs = none } = rule
  const parts: PolicyRule[] = []
  for (const group of apiGroups)
    for (const resource of resources)
      for (const verb of verbs) {
        const single = { apiGroups: [group], resources: [resource], verbs: [verb] }
        if (resourceNames.length === 0) parts.push(single)
        else for (const name of resourceNames) parts.push({ ...single, resourceNames: [name] })
      }
  for (const url of nonResourceURLs) for (const verb of verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] })
  return parts
}

/** Does `owner` allow everything that `part` (a rule from `breakDown`) allows? */
export function ruleCovers(owner: PolicyRule, part: PolicyRule): boolean {
  const ownedNames = owner.resourceNames ?? none
  const names = part.resourceNames ?? none
  return (
    (owner.verbs.includes(ALL) || includesAll(owner.verbs, part.verbs)) &&
    ((owner.apiGroups ?? none).includes(ALL) || includesAll(owner.apiGroups ?? none, part.apiGroups ?? none)) &&
    (part.resources ?? none).every((resource) => resourceCovers(owner.resources ?? none, resource)) &&
    (part.nonResourceURLs ?? none).every((url) => (owner.nonResourceURLs ?? none).some((own) => urlCovers(own, url))) &&
    (ownedNames.length === 0 || (names.length > 0 && includesAll(ownedNames, names)))
  )
}

function resourceCovers(owned: readonly string[], resource: string): boolean {
  if (owned.includes(ALL) || owned.includes(resource)) return true
  const slash = resource.indexOf('/')
  return slash >= 0 && owned.includes(`*/${resource.slice(slash + 1)}`)
}

const includesAll = (set: readonly string[], items: readonly string[]): boolean => items.every((item) => set.includes(item))

/** The parts of `wanted` that no single rule of `owned` covers. */
export function uncovered(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter((part) => !owned.some((rule) => ruleCovers(rule, part)))
}

/** Joins rules for the same single resource (and name) by their verbs. */
export function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const merged = new Map<string, PolicyRule>()
  const others: PolicyRule[] = []
  for (const rule of rules) {
    const { apiGroups = none, resources = none, resourceNames = none, nonResourceURLs = none } = rule
    if (apiGroups.length !== 1 || resources.length !== 1 || resourceNames.length > 1 || nonResourceURLs.length > 0) {
      others.push(rule)
      continue
    }
    const key = JSON.stringify([apiGroups[0], resources[0], resourceNames[0] ?? null])
    const before = merged.get(key)
    merged.set(key, before === undefined ? rule : { ...before, verbs: [...before.verbs, ...rule.verbs] })
  }
  return [...others, ...merged.values()]
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}` */
export function describeRule({
  apiGroups = none,
  resources = none,
  nonResourceURLs = none,
  resourceNames = none,
  verbs,
}: PolicyRule): string {
  const parts: [string, readonly string[]][] = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ]
  return `{${parts
    .filter(([, items]) => items.length > 0)
    .map(([label, items]) => `${label}:${goQuoteList(items)}`)
    .join(', ')}}`
}
