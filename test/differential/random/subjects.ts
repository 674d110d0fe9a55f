import type { Names } from '../scenario.ts'
import type { Random } from './random.ts'
import { anything, randomValue, withoutUndeclared } from './schemas.ts'
import { KEYS, type Subject } from './subject.ts'

type Json = any

/** Kinds whose objects are as they were written: no controller touches them. */
export function subjectsOf({ ns, group }: Names, schema: Json): Subject[] {
  const names = ['a', 'b', 'c']
  const strings = (random: Random): Json =>
    Object.fromEntries(random.some(KEYS, 0.5).map((key) => [key, random.chance(0.03) ? anything(random, 1) : random.pick(['x', 'y', ''])]))
  return [
    {
      path: `/api/v1/namespaces/${ns}/configmaps`,
      apiVersion: 'v1',
      kind: 'ConfigMap',
      custom: false,
      names,
      content: (r) => ({
        ...(r.chance(0.8) && { data: strings(r) }),
        ...(r.chance(0.05) && { immutable: true }),
        ...(r.chance(0.05) && { nope: 1 }),
      }),
    },
    {
      path: `/api/v1/namespaces/${ns}/secrets`,
      apiVersion: 'v1',
      kind: 'Secret',
      custom: false,
      names,
      content: (r) => ({
        ...(r.chance(0.7) && { stringData: strings(r) }),
        ...(r.chance(0.2) && { data: { k1: 'eA==' } }),
        ...(r.chance(0.05) && { type: 'Other' }),
      }),
    },
    {
      path: `/api/v1/namespaces/${ns}/serviceaccounts`,
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      custom: false,
      names,
      content: (r) => ({
        ...(r.chance(0.6) && { secrets: r.some(KEYS, 0.5).map((name) => ({ name })) }),
        ...(r.chance(0.3) && { imagePullSecrets: r.some(KEYS, 0.4).map((name) => ({ name })) }),
        ...(r.chance(0.3) && { automountServiceAccountToken: r.chance(0.5) }),
      }),
    },
    {
      path: `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/roles`,
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      custom: false,
      names,
      content: (r) => ({
        rules: Array.from({ length: 1 + r.below(2) }, () => ({
          ...(r.chance(0.9) && { apiGroups: [''] }),
          ...(r.chance(0.95) && { resources: r.some(['pods', 'secrets'], 0.7) }),
          verbs: r.some(['get', 'list', '*'], 0.7),
        })),
      }),
    },
    {
      path: `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases`,
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      custom: false,
      names,
      content: (r) => ({
        spec: {
          ...(r.chance(0.7) && { holderIdentity: r.pick(['x', 'y', '']) }),
          ...(r.chance(0.5) && { leaseDurationSeconds: r.pick([15, 0, -1, 30]) }),
          ...(r.chance(0.3) && { leaseTransitions: r.pick([0, 1, -1]) }),
          ...(r.chance(0.3) && { renewTime: r.pick(['2020-01-01T00:00:00.000000Z', '2021-01-01T00:00:00.500000Z']) }),
        },
      }),
    },
    {
      path: `/apis/${group}/v1/namespaces/${ns}/widgets`,
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      custom: true,
      names,
      content: (r) => ({ spec: randomValue(r, schema), ...(r.chance(0.2) && { status: { phase: r.pick(['p', 'q']) } }) }),
      applied: (content) => ({ ...content, spec: withoutUndeclared(schema, content.spec) }),
    },
  ]
}
