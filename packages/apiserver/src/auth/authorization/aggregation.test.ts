import { expect, test } from 'vitest'
import { aggregateRules } from './aggregation.ts'
import type { ClusterRole, PolicyRule } from './rbac-objects.ts'
import { clusterRole } from './role-source.fixture.ts'

const pods: PolicyRule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] }
const secrets: PolicyRule = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }
const health: PolicyRule = { nonResourceURLs: ['/healthz'], verbs: ['get'] }
const noGroups: PolicyRule = { apiGroups: [], nonResourceURLs: ['/healthz'], verbs: ['get'] }

const part = (name: string, rules: readonly PolicyRule[]): ClusterRole => {
  const role = clusterRole(name, rules)
  return { ...role, metadata: { ...role.metadata, labels: { part: 'yes' } } }
}

test('what several roles allow is in the whole once, in the order of their names; what is nearly the same is not the same', () => {
  const whole: ClusterRole = { ...clusterRole('whole', []), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] } }
  const all = [whole, part('b', [secrets, { ...pods }, noGroups]), part('a', [pods, health]), clusterRole('other', [secrets])]
  expect(aggregateRules(whole, all)).toEqual([pods, health, secrets, noGroups])
})
