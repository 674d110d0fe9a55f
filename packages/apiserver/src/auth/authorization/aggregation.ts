import { deepEqual, matchesLabels, requirementsOf } from '@weft/api'
import type { ClusterRole, PolicyRule } from './rbac-objects.ts'

/**
 * The rules that an aggregated ClusterRole should have: those of every other ClusterRole that one of its selectors
 * matches, by selector, then by name, without repeats. `undefined` when the role does not aggregate.
 *
 * To keep roles right: on every change of any ClusterRole, for every role with an `aggregationRule`, compute this; when
 * it answers the role's own `rules` array the role is right, else apply `{rules}` with field manager
 * `clusterrole-aggregation-controller`, forced. Chains (view → edit → admin) settle in as many rounds as they are long.
 * Level-triggered and idempotent; a selector that cannot be parsed throws SelectorError and leaves the role as it is.
 */
export function aggregateRules(role: ClusterRole, all: readonly ClusterRole[]): readonly PolicyRule[] | undefined {
  if (role.aggregationRule === undefined || role.aggregationRule === null) return undefined
  const others = all.filter((other) => other.metadata.name !== role.metadata.name).sort(byName)
  const rules: PolicyRule[] = []
  const known = new Map<string, PolicyRule[]>()
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    const requirements = requirementsOf(selector)
    for (const other of others) {
      if (!matchesLabels(requirements, other.metadata.labels)) continue
      for (const rule of other.rules ?? []) {
        const rivals = rivalsOf(rule, known)
        if (rivals.some((rival) => deepEqual(rival, rule))) continue
        rivals.push(rule)
        rules.push(rule)
      }
    }
  }
  const current = role.rules ?? []
  return deepEqual(current, rules) ? current : rules
}

/** Those that may be the same: of the same groups. A role for thousands of kinds has hundreds of rules, and comparing each with each takes long. */
function rivalsOf(rule: PolicyRule, known: Map<string, PolicyRule[]>): PolicyRule[] {
  const groups = JSON.stringify(rule.apiGroups ?? [])
  const rivals = known.get(groups) ?? []
  known.set(groups, rivals)
  return rivals
}

export const AGGREGATION_FIELD_MANAGER = 'clusterrole-aggregation-controller'

const byName = (a: ClusterRole, b: ClusterRole): number => {
  const [x, y] = [a.metadata.name ?? '', b.metadata.name ?? '']
  return x < y ? -1 : x > y ? 1 : 0
}
