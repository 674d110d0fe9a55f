import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import type { Catalog, ResourceType } from '../../registry/index.ts'
import type { AdmissionRequest } from '../admission.ts'
import { MatchCriteria, type MatchResources, type MatchWorld, namespaceOf } from './criteria.ts'
import { EquivalentTypes } from './equivalent-types.ts'

const type = (version: string, given: Partial<ResourceType> = {}): ResourceType =>
  ({
    group: 'example.org',
    version,
    plural: 'widgets',
    kind: 'Widget',
    namespaced: true,
    subresources: [{ name: 'status', verbs: [], strategy: {} }],
    storage: { prefix: '/registry/example.org/widgets/' },
    ...given,
  }) as unknown as ResourceType

const v1 = type('v1')
const v2 = type('v2', { subresources: [] })
const gadgets = type('v1', { plural: 'gadgets', storage: { group: '', version: '', kind: '', prefix: '/registry/example.org/gadgets/' } })
const namespaces = type('v1', {
  group: '',
  plural: 'namespaces',
  namespaced: false,
  storage: { group: '', version: '', kind: '', prefix: '/n/' },
})

const labelled = (labels?: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Any',
  metadata: labels === undefined ? {} : { labels },
})

const world: MatchWorld = {
  equivalents: new EquivalentTypes({ generation: 1, all: () => [v1, v2, gadgets, namespaces] } as unknown as Catalog),
  namespace: (name) => (name === 'gone' ? undefined : labelled({ team: name })),
}

const request = (given: Partial<AdmissionRequest>): AdmissionRequest => ({
  operation: 'CREATE',
  type: v1,
  subresource: '',
  namespace: 'a',
  name: 'x',
  object: labelled({ app: 'web' }),
  user: { username: 'u', groups: [] },
  dryRun: false,
  options: {},
  warn: () => undefined,
  ...given,
})

const rule = (apiVersion: string, resource = 'widgets'): object => ({
  operations: ['*'],
  apiGroups: ['example.org', ''],
  apiVersions: [apiVersion],
  resources: [resource],
})

describe('rules', () => {
  it.each<{ reason: string; match: MatchResources; of?: Partial<AdmissionRequest>; found: ResourceType | undefined }>([
    { reason: 'the version of the request', match: { resourceRules: [rule('v1')] }, found: v1 },
    { reason: 'an equivalent version', match: { resourceRules: [rule('v2')] }, found: v2 },
    { reason: 'the version of the request rather than an equivalent', match: { resourceRules: [rule('v2'), rule('v1')] }, found: v1 },
    { reason: 'no equivalent when exact', match: { resourceRules: [rule('v2')], matchPolicy: 'Exact' }, found: undefined },
    {
      reason: 'no equivalent without the subresource',
      match: { resourceRules: [rule('v2', 'widgets/status')] },
      of: { subresource: 'status' },
      found: undefined,
    },
    { reason: 'no other resource', match: { resourceRules: [rule('v1', 'gadgets')] }, found: undefined },
    { reason: 'nothing that is excluded', match: { resourceRules: [rule('*')], excludeResourceRules: [rule('v1')] }, found: undefined },
    {
      reason: 'nothing whose equivalent is excluded',
      match: { resourceRules: [rule('*')], excludeResourceRules: [rule('v2')] },
      found: undefined,
    },
    {
      reason: 'what is excluded in another version only, when exact',
      match: { resourceRules: [rule('v1')], excludeResourceRules: [rule('v2')], matchPolicy: 'Exact' },
      found: v1,
    },
  ])('find $reason', ({ match, of = {}, found }) => {
    expect(new MatchCriteria(match).resource(request(of), world)).toBe(found)
  })

  it('may be left out by a binding, not by a policy', () => {
    expect(new MatchCriteria({}, { rulesOptional: true }).resource(request({}), world)).toBe(v1)
    expect(new MatchCriteria({}).resource(request({}), world)).toBeUndefined()
  })
})

describe('selectors', () => {
  const team = { namespaceSelector: { matchLabels: { team: 'a' } } }
  const app = { objectSelector: { matchLabels: { app: 'web' } } }
  it.each<{ reason: string; match: MatchResources; of?: Partial<AdmissionRequest>; selects: boolean }>([
    { reason: 'nothing asked', match: { namespaceSelector: {}, objectSelector: {} }, selects: true },
    { reason: 'the label of the namespace', match: team, selects: true },
    { reason: 'another namespace', match: team, of: { namespace: 'b' }, selects: false },
    {
      reason: 'cluster-wide resources are in no namespace',
      match: team,
      of: { type: type('v1', { namespaced: false }), namespace: '' },
      selects: true,
    },
    {
      reason: 'a new namespace has labels of its own',
      match: team,
      of: { type: namespaces, namespace: '', name: 'a', object: labelled({ team: 'b' }) },
      selects: false,
    },
    {
      reason: 'a namespace that is deleted has those it has',
      match: team,
      of: { type: namespaces, namespace: '', name: 'a', operation: 'DELETE' },
      selects: true,
    },
    { reason: 'the label of the object', match: app, selects: true },
    { reason: 'an object without labels', match: app, of: { object: labelled() }, selects: false },
    { reason: 'the label of the old object', match: app, of: { object: labelled(), oldObject: labelled({ app: 'web' }) }, selects: true },
    { reason: 'both', match: { ...team, ...app }, of: { object: labelled() }, selects: false },
    {
      reason: 'a namespace that is gone does not matter when the object does not match',
      match: { ...team, ...app },
      of: { namespace: 'gone', object: labelled() },
      selects: false,
    },
  ])('$reason: $selects', ({ match, of = {}, selects }) => {
    expect(new MatchCriteria(match).selects(request(of), world)).toBe(selects)
  })

  it('tell when the namespace is gone, or when they cannot be read', () => {
    expect(() => new MatchCriteria(team).selects(request({ namespace: 'gone' }), world)).toThrow(
      expect.objectContaining({ code: 404 }) as Error,
    )
    const unreadable = new MatchCriteria({ objectSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } })
    expect(() => unreadable.selects(request({}), world)).toThrow(expect.objectContaining({ code: 500 }) as Error)
  })
})

it('a namespace is in itself', () => {
  expect(namespaceOf({ type: namespaces, name: 'a', namespace: '' })).toBe('a')
  expect(namespaceOf({ type: v1, name: 'a', namespace: 'b' })).toBe('b')
})
