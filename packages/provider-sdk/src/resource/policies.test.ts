import type { OwnerReference } from '@weft/api'
import { describe, expect, it } from 'vitest'
import type { ManagedResource } from './managed-resource.ts'
import { deletesExternal, managementOf } from './policies.ts'

const resource = (spec: object, metadata: object = {}): ManagedResource => ({
  apiVersion: 'x.org/v1',
  kind: 'X',
  metadata: { name: 'x', ...metadata },
  spec: spec as NonNullable<ManagedResource['spec']>,
})

const ALL = { create: true, update: true, delete: true, lateInitialize: true }

describe('managementOf', () => {
  it.each([
    { reason: 'no policies mean everything', given: undefined, kind: 'manage', policy: ALL },
    { reason: 'the star means everything', given: ['*'], kind: 'manage', policy: ALL },
    {
      reason: 'observe-only allows nothing else',
      given: ['Observe'],
      kind: 'manage',
      policy: { create: false, update: false, delete: false, lateInitialize: false },
    },
    {
      reason: 'each action is allowed by its name',
      given: ['Observe', 'Create', 'LateInitialize'],
      kind: 'manage',
      policy: { create: true, update: false, delete: false, lateInitialize: true },
    },
    { reason: 'an empty list pauses', given: [], kind: 'paused' },
    { reason: 'a resource cannot be managed without observing it', given: ['Create', 'Delete'], kind: 'invalid' },
    { reason: 'the star stands alone', given: ['*', 'Observe'], kind: 'invalid' },
    { reason: 'an unknown action is a mistake', given: ['Observe', 'Destroy'], kind: 'invalid' },
    { reason: 'it is a list', given: 'Observe', kind: 'invalid' },
  ])('$reason', ({ given, kind, policy }) => {
    const decision = managementOf(resource(given === undefined ? {} : { managementPolicies: given }))
    expect(decision).toMatchObject({ kind, ...(policy !== undefined && { policy }) })
  })

  it('the annotation pauses whatever the policies say, and only "true" does', () => {
    expect(managementOf(resource({ managementPolicies: ['*'] }, { annotations: { 'crossplane.io/paused': 'true' } })).kind).toBe('paused')
    expect(managementOf(resource({}, { annotations: { 'crossplane.io/paused': 'yes' } })).kind).toBe('manage')
  })
})

describe('deletesExternal', () => {
  const controller: OwnerReference = { apiVersion: 'y.org/v1', kind: 'Y', name: 'y', uid: '1', controller: true }
  it.each([
    { reason: 'Delete deletes', spec: { deletionPolicy: 'Delete' }, metadata: {}, expected: true },
    { reason: 'so does the older name', spec: { reclaimPolicy: 'Delete' }, metadata: {}, expected: true },
    { reason: 'Orphan keeps', spec: { deletionPolicy: 'Orphan', classRef: { name: 'c' } }, metadata: {}, expected: false },
    { reason: 'Retain keeps', spec: { reclaimPolicy: 'Retain', classRef: { name: 'c' } }, metadata: {}, expected: false },
    { reason: 'who wants to keep wins', spec: { deletionPolicy: 'Delete', reclaimPolicy: 'Retain' }, metadata: {}, expected: false },
    { reason: 'static without a policy stays (10.7)', spec: {}, metadata: {}, expected: false },
    { reason: 'dynamic without a policy goes (10.7)', spec: { classRef: { name: 'c' } }, metadata: {}, expected: true },
    { reason: 'members of an aggregate are dynamic', spec: { aggregateRef: { name: 'a' } }, metadata: {}, expected: true },
    { reason: 'what is composed goes with its composite', spec: {}, metadata: { ownerReferences: [controller] }, expected: true },
  ])('$reason', ({ spec, metadata, expected }) => {
    expect(deletesExternal(resource(spec, metadata), ALL)).toBe(expected)
  })

  it('management policies without Delete keep', () => {
    expect(deletesExternal(resource({ deletionPolicy: 'Delete' }), { ...ALL, delete: false })).toBe(false)
  })
})
