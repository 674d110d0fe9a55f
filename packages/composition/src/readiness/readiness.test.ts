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

  it.each<[unknown, string]>([
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
})
