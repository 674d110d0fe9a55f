import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { CLAIM_FINALIZER, hasFinalizer, isDeleted, withFinalizer, withoutFinalizer } from './finalizers.ts'
import { hasLabels, kindOfRef, matchLabelsOf, specRef, withSpec } from './spec-reference.ts'

const object = (spec: unknown, metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'database.example.org/v1',
  kind: 'MySQLInstance',
  metadata: { name: 'sql', ...metadata },
  spec,
})

describe('references and fields of a spec', () => {
  test('one that cannot be read is as good as none', () => {
    expect(specRef(object({ classRef: { kind: 'C', name: 'a' } }), 'classRef')).toMatchObject({ kind: 'C', name: 'a' })
    expect(specRef(object({ classRef: 'a' }), 'classRef')).toBeUndefined()
    expect(specRef(object({ classRef: { name: 'a' } }), 'claimRef')).toBeUndefined()
  })

  test('X4: the kind of a reference has a group and no version', () => {
    expect(kindOfRef({ apiVersion: 'g.example.org/v1beta1', kind: 'K', name: 'a' })).toEqual({ group: 'g.example.org', kind: 'K' })
    expect(kindOfRef({ kind: 'K', name: 'a' })).toEqual({ group: '', kind: 'K' })
    for (const ref of [undefined, { name: 'a' }, { kind: '', name: 'a' }]) expect(kindOfRef(ref)).toBeUndefined()
  })

  test('fields are replaced, those that are undefined removed, the others kept; the object that was given stays', () => {
    const before = object({ a: 1, b: 2 })
    expect(withSpec(before, { b: undefined, c: 3 })['spec']).toEqual({ a: 1, c: 3 })
    expect(Object.keys(withSpec(before, { b: undefined })['spec'] as object)).toEqual(['a'])
    expect(before['spec']).toEqual({ a: 1, b: 2 })
    expect(withSpec(object('nonsense'), { a: 1 })['spec']).toEqual({ a: 1 })
  })

  test('a selector without labels is not the same as none', () => {
    expect(matchLabelsOf({ matchLabels: { a: 'b' } })).toEqual({ a: 'b' })
    expect([matchLabelsOf({}), matchLabelsOf({ matchLabels: 'x' })]).toEqual([{}, {}])
    expect([matchLabelsOf(undefined), matchLabelsOf('x')]).toEqual([undefined, undefined])
  })

  test('all labels must be there, with their values; inherited names are no labels', () => {
    const labelled = object({}, { labels: { a: '1', b: '2' } })
    expect([hasLabels(labelled, { a: '1' }), hasLabels(labelled, { a: '1', b: '2' }), hasLabels(labelled, {})]).toEqual([true, true, true])
    expect([hasLabels(labelled, { a: '2' }), hasLabels(labelled, { a: '1', c: '3' })]).toEqual([false, false])
    expect([hasLabels(object({}), { a: '1' }), hasLabels(object({}), {})]).toEqual([false, true])
  })
})

describe('finalizers', () => {
  test('are added once, after those of others', () => {
    const held = withFinalizer(object({}, { finalizers: ['theirs'] }), CLAIM_FINALIZER)
    expect(held.metadata.finalizers).toEqual(['theirs', CLAIM_FINALIZER])
    expect(hasFinalizer(held, CLAIM_FINALIZER)).toBe(true)
    expect(withFinalizer(held, CLAIM_FINALIZER)).toBe(held)
    expect(withFinalizer(object({}), CLAIM_FINALIZER).metadata.finalizers).toEqual([CLAIM_FINALIZER])
  })

  test('are removed without those of others; the last takes the list with it', () => {
    const held = object({}, { finalizers: ['theirs', CLAIM_FINALIZER] })
    expect(withoutFinalizer(held, CLAIM_FINALIZER).metadata.finalizers).toEqual(['theirs'])
    expect(withoutFinalizer(object({}, { finalizers: [CLAIM_FINALIZER] }), CLAIM_FINALIZER).metadata.finalizers).toBeUndefined()
    const free = object({})
    expect([hasFinalizer(free, CLAIM_FINALIZER), withoutFinalizer(free, CLAIM_FINALIZER) === free]).toEqual([false, true])
  })

  test('an object is being deleted from the moment that it says so', () => {
    expect([isDeleted(object({})), isDeleted(object({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }))]).toEqual([false, true])
  })
})
