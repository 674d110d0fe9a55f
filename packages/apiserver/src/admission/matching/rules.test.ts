import { describe, expect, it } from 'vitest'
import { isAdmissionConfiguration, matchesRule, type Rule, type RuleSubject } from './rules.ts'

const widgets = { group: 'example.org', version: 'v1', plural: 'widgets', namespaced: true }
const all: Rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: '*' }
const subject = (given: Partial<RuleSubject> = {}): RuleSubject => ({
  type: widgets,
  operation: 'CREATE',
  subresource: '',
  name: 'a',
  ...given,
})

describe('a rule', () => {
  it.each<{ reason: string; rule: Rule; of?: Partial<RuleSubject>; matches: boolean }>([
    { reason: 'stars match everything', rule: {}, matches: true },
    { reason: 'no operations match nothing', rule: { operations: [] }, matches: false },
    { reason: 'its operation', rule: { operations: ['UPDATE', 'CREATE'] }, matches: true },
    { reason: 'another operation', rule: { operations: ['UPDATE', 'DELETE', 'CONNECT'] }, matches: false },
    { reason: 'its group', rule: { apiGroups: ['example.org'] }, matches: true },
    { reason: 'the core group is not any group', rule: { apiGroups: [''] }, matches: false },
    { reason: 'the core group', rule: { apiGroups: [''] }, of: { type: { ...widgets, group: '' } }, matches: true },
    { reason: 'another version', rule: { apiVersions: ['v2'] }, matches: false },
    { reason: 'its resource', rule: { resources: ['gadgets', 'widgets'] }, matches: true },
    { reason: 'another resource', rule: { resources: ['gadgets'] }, matches: false },
    {
      reason: 'a resource does not cover its subresources',
      rule: { resources: ['widgets'] },
      of: { subresource: 'status' },
      matches: false,
    },
    { reason: 'a star does not cover subresources', rule: { resources: ['*'] }, of: { subresource: 'status' }, matches: false },
    { reason: 'one subresource', rule: { resources: ['widgets/status'] }, of: { subresource: 'status' }, matches: true },
    { reason: 'another subresource', rule: { resources: ['widgets/scale'] }, of: { subresource: 'status' }, matches: false },
    { reason: 'a subresource does not cover the resource', rule: { resources: ['widgets/status'] }, matches: false },
    { reason: 'all subresources', rule: { resources: ['widgets/*'] }, of: { subresource: 'status' }, matches: true },
    { reason: 'all subresources and the resource itself', rule: { resources: ['widgets/*'] }, matches: true },
    { reason: 'one subresource of all resources', rule: { resources: ['*/scale'] }, of: { subresource: 'scale' }, matches: true },
    { reason: 'everything', rule: { resources: ['*/*'] }, of: { subresource: 'scale' }, matches: true },
    { reason: 'namespaced scope', rule: { scope: 'Namespaced' }, matches: true },
    {
      reason: 'namespaced scope of a cluster-wide resource',
      rule: { scope: 'Namespaced' },
      of: { type: { ...widgets, namespaced: false } },
      matches: false,
    },
    { reason: 'cluster scope', rule: { scope: 'Cluster' }, of: { type: { ...widgets, namespaced: false } }, matches: true },
    { reason: 'cluster scope of a namespaced resource', rule: { scope: 'Cluster' }, matches: false },
    { reason: 'a scope nobody knows', rule: { scope: 'Galaxy' }, matches: false },
    { reason: 'its name', rule: { resourceNames: ['b', 'a'] }, matches: true },
    { reason: 'other names', rule: { resourceNames: ['b'] }, matches: false },
    { reason: 'no names are all names', rule: { resourceNames: [] }, matches: true },
  ])('$reason', ({ rule, of, matches }) => {
    expect(matchesRule({ ...all, ...rule }, subject(of))).toBe(matches)
  })
})

describe('admission configuration', () => {
  it.each([
    { group: 'admissionregistration.k8s.io', kind: 'ValidatingAdmissionPolicy', own: true },
    { group: 'admissionregistration.k8s.io', kind: 'MutatingWebhookConfiguration', own: true },
    { group: 'admissionregistration.k8s.io', kind: 'Other', own: false },
    { group: 'example.org', kind: 'ValidatingAdmissionPolicy', own: false },
  ])('$kind of $group: $own', ({ own, ...type }) => {
    expect(isAdmissionConfiguration(type)).toBe(own)
  })
})
