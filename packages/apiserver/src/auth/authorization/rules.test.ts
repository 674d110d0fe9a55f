import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resourceAttributes } from './attributes.ts'
import type { PolicyRule } from './rbac-objects.ts'
import {
  breakDown,
  compactRules,
  describeRule,
  matchesName,
  matchesPath,
  matchesResource,
  ruleAllows,
  ruleCovers,
  uncovered,
} from './rules.ts'

describe('a rule matches', () => {
  test.each([
    { reason: 'the same resource', resources: ['pods'], asked: 'pods', matches: true },
    { reason: 'another resource does not', resources: ['pods'], asked: 'secrets', matches: false },
    { reason: '* is every resource', resources: ['*'], asked: 'pods', matches: true },
    { reason: '* is every subresource too', resources: ['*'], asked: 'pods/log', matches: true },
    { reason: 'a resource is not its subresources', resources: ['pods'], asked: 'pods/log', matches: false },
    { reason: 'a subresource by name', resources: ['pods/log'], asked: 'pods/log', matches: true },
    { reason: 'a subresource is not its resource', resources: ['pods/log'], asked: 'pods', matches: false },
    { reason: '*/log is every log', resources: ['*/log'], asked: 'pods/log', matches: true },
    { reason: '*/log is not another subresource', resources: ['*/log'], asked: 'pods/status', matches: false },
    { reason: '*/log is not a suffix match', resources: ['*/log'], asked: 'pods/xlog', matches: false },
    { reason: '*/xlog is not log either', resources: ['*/xlog'], asked: 'pods/log', matches: false },
    { reason: 'another word before the same subresource is no star', resources: ['x/log'], asked: 'pods/log', matches: false },
    { reason: '*/ is nothing', resources: ['*/'], asked: 'pods', matches: false },
    { reason: 'pods/* is not a wildcard', resources: ['pods/*'], asked: 'pods/log', matches: false },
    { reason: 'no resources', resources: [], asked: 'pods', matches: false },
  ])('resources: $reason', ({ resources, asked, matches }) => {
    expect(matchesResource({ verbs: ['*'], resources }, asked, asked.split('/')[1] ?? '')).toBe(matches)
  })

  test.each([
    { reason: 'no names is any name', names: undefined, asked: 'a', matches: true },
    { reason: 'an empty list is any name', names: [], asked: 'a', matches: true },
    { reason: 'a listed name', names: ['a'], asked: 'a', matches: true },
    { reason: 'another name', names: ['a'], asked: 'b', matches: false },
    { reason: 'a list or create has no name', names: ['a'], asked: '', matches: false },
    { reason: '* is no wildcard for names', names: ['*'], asked: 'a', matches: false },
  ])('resourceNames: $reason', ({ names, asked, matches }) => {
    expect(matchesName({ verbs: [], ...(names && { resourceNames: names }) }, asked)).toBe(matches)
  })

  test.each([
    { reason: 'the same path', urls: ['/metrics'], asked: '/metrics', matches: true },
    { reason: 'not a longer one', urls: ['/metrics'], asked: '/metrics/slis', matches: false },
    { reason: 'a star at the end is any rest', urls: ['/apis/*'], asked: '/apis/apps/v1', matches: true },
    { reason: 'the slash before the star counts', urls: ['/apis/*'], asked: '/apis', matches: false },
    { reason: 'a star alone is everything', urls: ['*'], asked: '/x', matches: true },
    { reason: 'a star in the middle is a character', urls: ['/a/*/b'], asked: '/a/x/b', matches: false },
    { reason: 'several stars are one', urls: ['/a/**'], asked: '/a/b', matches: true },
  ])('nonResourceURLs: $reason', ({ urls, asked, matches }) => {
    expect(matchesPath({ verbs: [], nonResourceURLs: urls }, asked)).toBe(matches)
  })
})

describe('a rule allows a request', () => {
  const rule: PolicyRule = { apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'], verbs: ['get'], resourceNames: ['a'] }
  const asked = { verb: 'get', apiGroup: 'apps', resource: 'deployments', name: 'a' }
  test.each([
    { reason: 'all of it fits', more: {}, allows: true },
    { reason: 'a subresource that it names', more: { subresource: 'scale' }, allows: true },
    { reason: 'another subresource', more: { subresource: 'status' }, allows: false },
    { reason: 'another verb', more: { verb: 'list' }, allows: false },
    { reason: 'another group', more: { apiGroup: '' }, allows: false },
    { reason: 'another resource', more: { resource: 'pods' }, allows: false },
    { reason: 'another name', more: { name: 'b' }, allows: false },
  ])('$reason', ({ more, allows }) => {
    expect(ruleAllows(rule, resourceAttributes({ username: 'u', groups: [] }, { ...asked, ...more }))).toBe(allows)
  })
})

describe('covering', () => {
  const get = (resources: string[], more: Partial<PolicyRule> = {}): PolicyRule => ({ apiGroups: [''], resources, verbs: ['get'], ...more })
  test.each([
    { reason: 'itself', owner: get(['pods']), part: get(['pods']), covers: true },
    { reason: 'a star verb covers any', owner: get(['pods'], { verbs: ['*'] }), part: get(['pods']), covers: true },
    { reason: 'a star verb is covered by a star only', owner: get(['pods']), part: get(['pods'], { verbs: ['*'] }), covers: false },
    { reason: 'a star group', owner: get(['pods'], { apiGroups: ['*'] }), part: get(['pods'], { apiGroups: ['apps'] }), covers: true },
    { reason: '*/log covers pods/log', owner: get(['*/log']), part: get(['pods/log']), covers: true },
    { reason: 'pods covers no subresource', owner: get(['pods']), part: get(['pods/log']), covers: false },
    {
      reason: 'names cover the same name',
      owner: get(['pods'], { resourceNames: ['a'] }),
      part: get(['pods'], { resourceNames: ['a'] }),
      covers: true,
    },
    {
      reason: 'a named right does not cover all names',
      owner: get(['pods'], { resourceNames: ['a'] }),
      part: get(['pods']),
      covers: false,
    },
    { reason: 'all names cover one', owner: get(['pods']), part: get(['pods'], { resourceNames: ['a'] }), covers: true },
    {
      reason: 'a URL prefix',
      owner: { verbs: ['get'], nonResourceURLs: ['/a/*'] },
      part: { verbs: ['get'], nonResourceURLs: ['/a/b*'] },
      covers: true,
    },
    { reason: 'a URL is not a resource', owner: { verbs: ['*'], nonResourceURLs: ['*'] }, part: get(['pods']), covers: false },
    {
      reason: 'a resource is not a URL',
      owner: get(['*'], { verbs: ['*'] }),
      part: { verbs: ['get'], nonResourceURLs: ['/a'] },
      covers: false,
    },
  ])('$reason', ({ owner, part, covers }) => {
    expect(ruleCovers(owner, part)).toBe(covers)
  })

  test('only rules for one resource and at most one name are joined: others stay as they are', () => {
    const one = get(['pods'])
    const apart = [
      { ...one, apiGroups: ['', 'apps'] },
      { ...one, resources: ['pods', 'nodes'] },
      { ...one, resourceNames: ['a', 'b'] },
      { ...one, nonResourceURLs: ['/x'] },
      { nonResourceURLs: ['/x'], verbs: ['get'] },
    ]
    const twice = apart.flatMap((rule) => [rule, { ...rule, verbs: ['list'] }])
    expect(compactRules(twice)).toEqual(twice)
    const named = { ...one, resourceNames: ['a'] }
    expect(compactRules([one, named, { ...one, verbs: ['list'] }, { ...named, verbs: ['watch'] }])).toEqual([
      { ...one, verbs: ['get', 'list'] },
      { ...named, verbs: ['get', 'watch'] },
    ])
  })

  test('verbs of the same resource are joined in the description', () => {
    const missing = uncovered(
      [get(['pods'])],
      [get(['pods', 'secrets'], { verbs: ['get', 'list'] }), { verbs: ['get'], nonResourceURLs: ['/x'] }],
    )
    expect(compactRules(missing).map(describeRule).sort()).toEqual([
      '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
      '{NonResourceURLs:["/x"], Verbs:["get"]}',
    ])
  })
})

describe('covering agrees with deciding', () => {
  const some = (...values: string[]): fc.Arbitrary<string[]> => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
  const resourceRule = fc.record({
    verbs: some('get', 'list', 'create', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/log', 'secrets', '*/log', '*'),
    resourceNames: fc.oneof(fc.constant<string[]>([]), some('a', 'b')),
  })
  const urlRule = fc.record({ verbs: some('get', '*'), nonResourceURLs: some('/a', '/a/*', '/a/b', '*') })
  const rules = fc.array(fc.oneof(resourceRule as fc.Arbitrary<PolicyRule>, urlRule as fc.Arbitrary<PolicyRule>), { maxLength: 4 })

  interface Request {
    verb: string
    group: string
    resource: string
    name: string
    url: string
  }
  const request = fc.record<Request>({
    verb: fc.constantFrom('get', 'list', 'create', 'delete'),
    group: fc.constantFrom('', 'apps', 'batch'),
    resource: fc.constantFrom('pods', 'pods/log', 'secrets', 'jobs', 'jobs/log'),
    name: fc.constantFrom('', 'a', 'b', 'c'),
    url: fc.constantFrom('', '/a', '/a/b', '/a/b/c', '/z'),
  })
  const allows = (rule: PolicyRule, { verb, group, resource, name, url }: Request): boolean => {
    const verbFits = rule.verbs.includes('*') || rule.verbs.includes(verb)
    if (url !== '') return verbFits && matchesPath(rule, url)
    const groups = rule.apiGroups ?? []
    return (
      verbFits &&
      (groups.includes('*') || groups.includes(group)) &&
      matchesResource(rule, resource, resource.split('/')[1] ?? '') &&
      matchesName(rule, name)
    )
  }

  test('who covers a set of rules may do whatever it allows', () => {
    fc.assert(
      fc.property(rules, rules, request, (owned, wanted, asked) => {
        fc.pre(uncovered(owned, wanted).length === 0 && wanted.some((rule) => allows(rule, asked)))
        expect(owned.some((rule) => allows(rule, asked))).toBe(true)
      }),
      { numRuns: 300, maxSkipsPerRun: 1000 },
    )
  })
  test('rules cover themselves, and what was missing closes the gap', () => {
    fc.assert(
      fc.property(rules, rules, (owned, wanted) => {
        expect(uncovered(wanted, wanted)).toEqual([])
        expect(uncovered([...owned, ...uncovered(owned, wanted)], wanted)).toEqual([])
      }),
    )
  })
  test('a rule allows exactly what its parts allow', () => {
    fc.assert(
      fc.property(rules, request, (list, asked) => {
        expect(list.flatMap(breakDown).some((part) => allows(part, asked))).toBe(list.some((rule) => allows(rule, asked)))
      }),
    )
  })
  test('compacting changes nothing', () => {
    fc.assert(
      fc.property(rules, request, (list, asked) => {
        expect(compactRules(list.flatMap(breakDown)).some((rule) => allows(rule, asked))).toBe(list.some((rule) => allows(rule, asked)))
      }),
    )
  })
})
