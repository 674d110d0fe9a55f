import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { SUGGESTED } from '../lifecycle/suggested-flow-control.ts'
import type { Seat } from './fair-queue.ts'
import { createFairness, type Fairness, type FairnessOptions } from './fairness.ts'
import type { Asked } from './flow-schema.ts'

const withUid = (object: KubeObject): KubeObject => ({ ...object, metadata: { ...object.metadata, uid: `uid of ${object.metadata.name}` } })

function fairness(
  options: FairnessOptions = {},
  more: { schemas?: KubeObject[]; levels?: KubeObject[] } = {},
): Fairness & { changed(): void } {
  let listener: () => void = () => undefined
  const made = createFairness(
    {
      flowSchemas: () => [...SUGGESTED.flowschemas, ...(more.schemas ?? [])].map(withUid),
      priorityLevels: () => [...SUGGESTED.prioritylevelconfigurations, ...(more.levels ?? [])].map(withUid),
      onChange: (given) => {
        listener = given
        return () => undefined
      },
    },
    options,
  )
  return { ...made, changed: () => listener() }
}

const get: Asked = { isResource: true, verb: 'get', group: '', resource: 'pods', subresource: '', namespace: 'team', path: '/x' }
const path = (at: string): Asked => ({ ...get, isResource: false, resource: '', namespace: '', path: at })
const user = (username: string, ...groups: string[]) => ({ username, groups: [...groups, 'system:authenticated'] })
const robot = (namespace: string) =>
  user(`system:serviceaccount:${namespace}:robot`, 'system:serviceaccounts', `system:serviceaccounts:${namespace}`)
const schemaOf = (of: Fairness, who: ReturnType<typeof user>, asked: Asked): string | undefined =>
  of.classify(who, asked).headers['x-kubernetes-pf-flowschema-uid']?.slice('uid of '.length)

const schema = (name: string, level: string, subject: object, more: object = {}): KubeObject => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name },
  spec: {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: 500,
    rules: [{ subjects: [subject], resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }] }],
    ...more,
  },
})
const level = (name: string, limited: object): KubeObject => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name },
  spec: { type: 'Limited', limited },
})

describe('where requests belong', () => {
  test.each([
    ['an administrator', user('root', 'system:masters'), get, 'exempt'],
    ['a probe', user('u'), path('/readyz/storage'), 'probes'],
    [
      'a lease of a system account',
      robot('kube-system'),
      { ...get, group: 'coordination.k8s.io', resource: 'leases' },
      'system-leader-election',
    ],
    ['a system account', robot('kube-system'), get, 'kube-system-service-accounts'],
    ['an account', robot('team'), get, 'service-accounts'],
    ['a node', user('n', 'system:nodes'), { ...get, resource: 'nodes', subresource: 'status', namespace: '' }, 'system-node-high'],
    [
      'a node and something else',
      user('n', 'system:nodes'),
      { ...get, resource: 'nodes', subresource: 'proxy', namespace: '' },
      'system-nodes',
    ],
    ['somebody', user('u'), get, 'global-default'],
    ['somebody, elsewhere', user('u'), path('/version'), 'global-default'],
  ])('%s', (_who, who, asked, expected) => {
    expect(schemaOf(fairness(), who, asked)).toBe(expected)
  })

  test('nobody at all is caught', () => {
    expect(schemaOf(fairness(), { username: 'x', groups: [] }, get)).toBe('catch-all')
  })

  test('a schema without its level does not count, and counts once the level comes', () => {
    const more = { schemas: [schema('own', 'later', { kind: 'User', user: { name: 'u' } })], levels: [] as KubeObject[] }
    const f = fairness({}, more)
    const asking = user('u')
    expect(schemaOf(f, asking, get)).toBe('global-default')
    more.levels.push(level('later', { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } }))
    f.changed()
    expect(schemaOf(f, asking, get)).toBe('own')
  })
})

describe('seats of levels', () => {
  const take = (of: Fairness, who: ReturnType<typeof user>): Seat | Promise<Seat> => of.classify(who, get).acquire()
  const own = (limited: object) => ({
    schemas: [schema('own', 'own', { kind: 'User', user: { name: '*' } })],
    levels: [level('own', { nominalConcurrencyShares: 1, borrowingLimitPercent: 0, lendablePercent: 0, ...limited })],
  })

  test('an exempt request always has one', () => {
    const f = fairness({ seats: 1 })
    for (let i = 0; i < 50; i++) expect(take(f, user('root', 'system:masters'))).not.toBeInstanceOf(Promise)
    expect(f.stats()).toEqual({})
  })

  test('metrics show the share of each level', () => {
    expect(fairness({ seats: 250 }).render()).toContain('apiserver_flowcontrol_nominal_limit_seats{priority_level="workload-low"} 103')
  })

  test('Reject refuses what finds none, and other levels go on', async () => {
    const f = fairness({ seats: 100 }, own({ limitResponse: { type: 'Reject' } }))
    const seat = take(f, user('a')) as Seat
    await expect(Promise.resolve(take(f, user('b')))).rejects.toMatchObject({ code: 429 })
    expect(f.classify(user('root', 'system:masters'), get).acquire()).not.toBeInstanceOf(Promise)
    seat.release()
    expect(take(f, user('b'))).not.toBeInstanceOf(Promise)
  })

  test('Queue lets as many wait as the queues hold', async () => {
    const f = fairness({ seats: 100 }, own({ limitResponse: { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: 2 } } }))
    const seat = take(f, user('a')) as Seat
    const [first, second] = [take(f, user('a')), take(f, user('b'))]
    await expect(Promise.resolve(take(f, user('c')))).rejects.toMatchObject({ code: 429 })
    seat.release()
    ;(await first).release()
    ;(await second).release()
    expect(f.stats()['own']).toMatchObject({ inUse: 0, waiting: 0, admitted: 3 })
  })

  test('free seats are lent, and not beyond what is set aside', () => {
    const f = fairness({ seats: 250 })
    const held: Seat[] = []
    for (;;) {
      const seat = take(f, user(`u${held.length}`))
      if (seat instanceof Promise) {
        seat.catch(() => undefined)
        break
      }
      held.push(seat)
    }
    // More than its own twenty, and others still have theirs.
    expect(held.length).toBeGreaterThan(100)
    expect(held.length).toBeLessThan(200)
    for (let i = 0; i < 10; i++) expect(take(f, robot(`n${i}`))).not.toBeInstanceOf(Promise)
    f.close()
  })
})
