import type { Condition, KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { parseReadinessChecks } from './check.ts'
import { readinessOf, summariseReadiness } from './ready.ts'

const object = (apiVersion: string, kind: string, conditions?: Condition[], more: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  status: { ...(conditions && { conditions }), ...more },
})
const condition = (type: string, status: Condition['status']): Condition => ({ type, status })
const managed = (conditions?: Condition[], more: object = {}) =>
  object('database.azure.crossplane.io/v1beta1', 'MySQLServer', conditions, more)

describe('readinessOf', () => {
  it.each<[string, KubeObject | undefined, boolean]>([
    ['a member that does not exist is not ready', undefined, false],
    ['Ready=True', managed([condition('Ready', 'True')]), true],
    ['Ready=False', managed([condition('Ready', 'False')]), false],
    ['Ready=Unknown', managed([condition('Ready', 'Unknown')]), false],
    ['a managed resource without status yet is not ready', managed(), false],
    ['other conditions do not count', managed([condition('Synced', 'True')]), false],
    ['a Service is ready when it exists', object('v1', 'Service'), true],
    ['a Secret without status is ready', { apiVersion: 'v1', kind: 'Secret', metadata: {} }, true],
    ['an Ingress is ready when it exists', object('networking.k8s.io/v1', 'Ingress'), true],
    ['a Deployment needs Available', object('apps/v1', 'Deployment'), false],
    ['a Deployment that is Available', object('apps/v1', 'Deployment', [condition('Available', 'True')]), true],
    ['a Pod needs Ready', object('v1', 'Pod'), false],
    ['a condition list that is no list', object('example.org/v1', 'X', undefined, { conditions: 'x' }), false],
  ])('%s', (_reason, member, ready) => {
    expect(readinessOf(member).ready).toBe(ready)
  })

  it('says what went wrong rather than that it is not ready', () => {
    const synced: Condition = { ...condition('Synced', 'False'), message: 'cannot create the external resource: quota' }
    expect(readinessOf(managed([synced])).reason).toBe('cannot create the external resource: quota')
    expect(readinessOf(managed([condition('Ready', 'False'), synced])).reason).toBe('cannot create the external resource: quota')
    expect(readinessOf(managed([condition('Ready', 'True'), synced])).ready).toBe(true)
    expect(readinessOf(managed([{ ...synced, message: '' }])).reason).toBe('has no Ready condition yet')
    expect(readinessOf(managed([{ ...synced, status: 'True' }])).reason).toBe('has no Ready condition yet')
    expect(readinessOf(managed([{ ...condition('Ready', 'False'), reason: 'Creating', message: 'soon' }])).reason).toBe(
      'Ready is False (Creating: soon)',
    )
    expect(readinessOf(managed([{ ...condition('Ready', 'Unknown'), reason: 'Creating', message: '' }])).reason).toBe(
      'Ready is Unknown (Creating)',
    )
    expect(readinessOf(managed([condition('Ready', 'False')])).reason).toBe('Ready is False')
    expect(readinessOf(object('batch/v1', 'Job')).reason).toBe('has no Complete condition yet')
    expect(readinessOf(undefined).reason).toBe('does not exist yet')
  })

  it('a caller who knows the kind has no conditions says so', () => {
    expect(readinessOf(managed(), { reportsReady: false }).ready).toBe(true)
    expect(readinessOf(managed([condition('Ready', 'False')]), { reportsReady: false }).ready).toBe(false)
  })
})

describe('readinessChecks', () => {
  const member = managed([condition('Ready', 'False'), condition('Online', 'True')], {
    phase: 'up',
    count: 3,
    yes: true,
    no: false,
    empty: '',
    big: 9007199254740993n,
  })
  it.each<[object, boolean]>([
    [{ type: 'None' }, true],
    [{ type: 'MatchString', fieldPath: 'status.phase', matchString: 'up' }, true],
    [{ type: 'MatchString', fieldPath: 'status.phase', matchString: 'down' }, false],
    [{ type: 'MatchString', fieldPath: 'status.none', matchString: '' }, false],
    [{ type: 'MatchInteger', fieldPath: 'status.count', matchInteger: 3 }, true],
    [{ type: 'MatchInteger', fieldPath: 'status.phase', matchInteger: 3 }, false],
    [{ type: 'NonEmpty', fieldPath: 'status.phase' }, true],
    [{ type: 'NonEmpty', fieldPath: 'status.empty' }, false],
    [{ type: 'NonEmpty', fieldPath: 'status.none.deeper' }, false],
    [{ type: 'MatchTrue', fieldPath: 'status.yes' }, true],
    [{ type: 'MatchTrue', fieldPath: 'status.no' }, false],
    [{ type: 'MatchFalse', fieldPath: 'status.no' }, true],
    [{ type: 'MatchFalse', fieldPath: 'status.none' }, false],
    [{ type: 'MatchCondition', matchCondition: { type: 'Online', status: 'True' } }, true],
    [{ type: 'MatchCondition', matchCondition: { type: 'Ready', status: 'True' } }, false],
  ])('%j', (raw, ready) => {
    const checks = parseReadinessChecks([raw])
    expect(checks.ok && readinessOf(member, { checks: checks.value }).ready).toBe(ready)
  })

  it('all must hold', () => {
    const checks = parseReadinessChecks([{ type: 'None' }, { type: 'MatchTrue', fieldPath: 'status.no' }])
    expect(checks.ok && readinessOf(member, { checks: checks.value })).toEqual({ ready: false, reason: 'status.no is not true' })
  })

  it.each<[object, string]>([
    [{ type: 'NonEmpty', fieldPath: 'status.empty' }, 'status.empty is empty'],
    [{ type: 'MatchFalse', fieldPath: 'status.yes' }, 'status.yes is not false'],
    [{ type: 'MatchString', fieldPath: 'status.phase', matchString: 'down' }, 'status.phase is not "down"'],
    [{ type: 'MatchInteger', fieldPath: 'status.count', matchInteger: 4 }, 'status.count is not 4'],
    [{ type: 'MatchCondition', matchCondition: { type: 'Ready' } }, 'condition Ready is not True'],
    [{ type: 'MatchCondition', matchCondition: { type: 'Online', status: 'Unknown' } }, 'condition Online is not Unknown'],
  ])('%j says what is not as it should be', (raw, reason) => {
    const checks = parseReadinessChecks([raw])
    expect(checks.ok && readinessOf(member, { checks: checks.value })).toEqual({ ready: false, reason })
  })

  it('whole numbers beyond 2^53 are told apart', () => {
    const check = (matchInteger: bigint) => parseReadinessChecks([{ type: 'MatchInteger', fieldPath: 'status.big', matchInteger }])
    const holds = [9007199254740993n, 9007199254740992n]
      .map(check)
      .map((checks) => checks.ok && readinessOf(member, { checks: checks.value }).ready)
    expect(holds).toEqual([true, false])
  })

  it('none are none, and what is no list is refused', () => {
    for (const raw of [undefined, null]) expect(parseReadinessChecks(raw)).toEqual({ ok: true, value: [] })
    expect(parseReadinessChecks({ type: 'None' })).toMatchObject({ ok: false, error: [{ path: 'readinessChecks' }] })
  })

  it.each<[unknown, string]>([
    [{ type: 'MatchCondition', matchCondition: {} }, 'readinessChecks[0].matchCondition.type'],
    [{ type: 'MatchCondition', matchCondition: { type: 'Ready', status: 'Yes' } }, 'readinessChecks[0].matchCondition.status'],
    [{}, 'readinessChecks[0].type'],
    [{ type: 'Vibes' }, 'readinessChecks[0].type'],
    [{ type: 'NonEmpty' }, 'readinessChecks[0].fieldPath'],
    [{ type: 'NonEmpty', fieldPath: 'a..b' }, 'readinessChecks[0].fieldPath'],
    [{ type: 'MatchString', fieldPath: 'a' }, 'readinessChecks[0].matchString'],
    [{ type: 'MatchInteger', fieldPath: 'a', matchInteger: 1.5 }, 'readinessChecks[0].matchInteger'],
    [{ type: 'MatchInteger', fieldPath: 'a' }, 'readinessChecks[0].matchInteger'],
    [{ type: 'MatchCondition' }, 'readinessChecks[0].matchCondition'],
  ])('refuses %j', (raw, path) => {
    const result = parseReadinessChecks([raw])
    expect(!result.ok && result.error.map((e) => e.path)).toEqual([path])
  })
})

describe('summariseReadiness', () => {
  const ready = { ready: true, reason: '' }
  it.each<[string, number, number, string, boolean]>([
    ['all', 3, 3, '3/3', true],
    ['some', 2, 3, '2/3', false],
    ['none of none', 0, 0, '0/0', true],
  ])('%s', (_reason, count, total, text, all) => {
    const members = Array.from({ length: total }, (_, i) => ({
      name: `M/${i}`,
      readiness: i < count ? ready : { ready: false, reason: 'why' },
    }))
    expect(summariseReadiness(members)).toMatchObject({ ready: count, total, text, all })
  })

  it('names at most five of those that are not, and says how many more there are', () => {
    const message = (waiting: number) =>
      summariseReadiness([
        { name: 'R/0', readiness: ready },
        ...Array.from({ length: waiting }, (_, i) => ({ name: `M/${i}`, readiness: { ready: false, reason: 'why' } })),
      ]).message
    expect(message(0)).toBe('1/1 ready')
    expect(message(1)).toBe('1/2 ready; waiting for M/0: why')
    expect(message(5)).toBe('1/6 ready; waiting for M/0, M/1, M/2, M/3, M/4: why')
    expect(message(7)).toBe('1/8 ready; waiting for M/0, M/1, M/2, M/3, M/4: why; and 2 more')
  })
})
