import { describe, expect, test } from 'vitest'
import type { RunFunctionRequest } from '../../protocol/request.ts'
import type { Struct } from '../../protocol/struct.ts'
import { builtInFunction } from '../built-in-functions.ts'
import { autoReady } from './auto-ready.ts'

const ask = (object: Struct, more: Partial<RunFunctionRequest> = {}): ReturnType<typeof autoReady> =>
  autoReady({
    observed: { resources: { r: { resource: object } } },
    desired: { resources: { r: { resource: { apiVersion: 'v1', kind: 'Any' } }, absent: { resource: {} } } },
    ...more,
  })

const replicaSet = (spec: Struct, status: Struct): Struct => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', spec, status })
const cronJob = (lastScheduleTime: string, lastSuccessfulTime: string): Struct => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  status: { lastScheduleTime, lastSuccessfulTime },
})

const readyCondition = { conditions: [{ type: 'Ready', status: 'True' }] }

describe('K219, K220 what exists is ready', () => {
  test.each<[reason: string, object: Struct, ready: 'READY_TRUE' | undefined]>([
    ['by its condition', { apiVersion: 'a.b/v1', kind: 'Thing', status: readyCondition }, 'READY_TRUE'],
    [
      'not by one that is malformed',
      { apiVersion: 'a.b/v1', kind: 'Thing', status: { conditions: [{ type: 'Ready', status: 'True' }, { type: 5 }] } },
      undefined,
    ],
    ['a ConfigMap at once', { apiVersion: 'v1', kind: 'ConfigMap' }, 'READY_TRUE'],
    ['but not one of another version', { apiVersion: 'v2', kind: 'ConfigMap' }, undefined],
    ['one whose group is written though it is empty', { apiVersion: '/v1', kind: 'ConfigMap' }, 'READY_TRUE'],
    ['none whose version is no text', { apiVersion: ['v1'], kind: 'ConfigMap' }, undefined],
    ['none whose kind is no text', { apiVersion: 'v1', kind: ['ConfigMap'] }, undefined],
    ['a ReplicaSet that has more than it wants', replicaSet({ replicas: 2 }, { availableReplicas: 3 }), 'READY_TRUE'],
    ['not one that has more than its field holds', replicaSet({}, { availableReplicas: 2 ** 31 }), undefined],
    ['a CronJob that went well to the nanosecond', cronJob('2026-01-01T1:00:00,5Z', '2026-01-01T01:00:00.500000000Z'), 'READY_TRUE'],
    ['not one that is a nanosecond behind', cronJob('2026-01-01T01:00:00.000000001Z', '2026-01-01T01:00:00Z'), undefined],
    ['not one of a day that there is not', cronJob('2026-02-29T01:00:00Z', '2026-03-01T01:00:00Z'), undefined],
    ['a Service without a load balancer', { apiVersion: 'v1', kind: 'Service', spec: {} }, 'READY_TRUE'],
    ['a load balancer once it has an address', { apiVersion: 'v1', kind: 'Service', spec: { type: 'LoadBalancer' } }, undefined],
    ['an unhealthy kind that says Ready all the same', { apiVersion: 'apps/v1', kind: 'DaemonSet', status: readyCondition }, 'READY_TRUE'],
    [
      'a Job that is complete',
      { apiVersion: 'batch/v1', kind: 'Job', status: { conditions: [{ type: 'Complete', status: 'True' }] } },
      'READY_TRUE',
    ],
  ])('%s', (_, object, ready) => {
    const answer = ask(object)
    expect(answer.desired?.resources?.['r']?.ready).toBe(ready)
    expect(answer.desired?.resources?.['absent']?.ready).toBeUndefined()
  })

  test.each<[string, Struct]>([
    ['a name that is no text', { metadata: { name: 1 } }],
    ['labels that are no texts', { metadata: { labels: { a: 1 } } }],
    ['no metadata', { metadata: 'x' }],
    ['a spec that is none', { spec: 1 }],
    ['a finalizer that is no text', { metadata: { finalizers: [1] } }],
    ['an owner that may be one', { metadata: { ownerReferences: [{ controller: 'yes' }] } }],
    ['a pod whose container has no name', { spec: { template: { spec: { containers: [{ name: 1 }] } } } }],
    ['a quantity that is none', { spec: { template: { spec: { containers: [{ resources: { limits: { cpu: 'much' } } }] } } } }],
    ['a count that is none', { status: { conditions: [{ type: 'Complete', status: 'True' }], succeeded: 1.5 } }],
    ['a time that is none', { status: { conditions: [{ type: 'Complete', status: 'True', lastProbeTime: '2026-01-01' }] } }],
  ])('K220 not what no Job can be: %s', (_, broken) => {
    const job = { apiVersion: 'batch/v1', kind: 'Job', status: { conditions: [{ type: 'Complete', status: 'True' }] } }
    expect(ask({ ...job, ...broken }).desired?.resources?.['r']?.ready).toBeUndefined()
  })

  test('who said something already is not overruled', () => {
    const desired = { resources: { r: { resource: {}, ready: 'READY_FALSE' as const } } }
    expect(ask({ apiVersion: 'v1', kind: 'Secret' }, { desired }).desired?.resources?.['r']?.ready).toBe('READY_FALSE')
  })

  test('an input may say how long the answer holds', () => {
    expect(ask({}, { input: { ttl: '1m30s' } }).meta?.ttl).toBe('90s')
    expect(ask({}, { input: { ttl: '1500ms' } }).meta?.ttl).toBe('1.500s')
    expect(ask({}, { input: { ttl: 'é' } }).results?.[0]?.message).toContain('time: invalid duration "\\xc3\\xa9"')
    expect(ask({}, { input: { nonsense: 1 } }).results).toMatchObject([{ severity: 'SEVERITY_FATAL' }])
  })
})

test('a function is built in by the name of its package and by nothing else', () => {
  for (const reference of [
    'xpkg.crossplane.io/crossplane-contrib/function-auto-ready:v0.7.0',
    'localhost:5000/mirror/function-auto-ready@sha256:abc',
    'function-auto-ready',
  ])
    expect(builtInFunction(reference), reference).toBe(autoReady)
  for (const reference of [
    'example.org/function-auto-ready/other:v1',
    'example.org/my-function-auto-ready',
    'example.org/x:function-auto-ready',
    '',
    'constructor',
  ])
    expect(builtInFunction(reference), reference).toBeUndefined()
})
