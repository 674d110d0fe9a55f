import type { KubeObject } from '@weft/api'
import { expect, it } from 'vitest'
import { CLAIM_FINALIZER } from '../binding/finalizers.ts'
import { checkClaimEdit } from './check-claim-edit.ts'
import { claim, refTo, SQL, SQL_CLASS } from './databases.fixture.ts'

const refs = { classRef: refTo(SQL_CLASS, 'small'), resourceRef: refTo(SQL, 'default-db-abcde') }
const held = (spec: Record<string, unknown>, more = {}): KubeObject =>
  claim('db', { ...refs, ...spec }, { finalizers: [CLAIM_FINALIZER], ...more })

it.each<[string, KubeObject | undefined, KubeObject, string | undefined]>([
  ['a value', held({ size: 1 }), held({ size: 2 }), 'spec.size'],
  ['a value that is new', held({}), held({ size: { gb: 2 } }), 'spec.size'],
  ['a value that is gone', held({ size: 1 }), held({}), 'spec.size'],
  ['another choice of class', held({ classSelector: { a: 1 } }), held({ classSelector: { a: 2 } }), 'spec.classSelector'],
  ['several', held({ size: 1 }), held({ size: 2, version: '9' }), 'spec.size, spec.version'],
  ['nothing', held({ size: 1 }), held({ size: 1 }), undefined],
  ['the secret, which is read', held({}), held({ writeConnectionSecretToRef: { name: 's' } }), undefined],
  ['a claim that waits', claim('db', { size: 1 }), claim('db', { size: 2 }), undefined],
  ['a claim that is new', undefined, held({ size: 2 }), undefined],
  ['a claim that goes', held({ size: 1 }), held({ size: 2 }, { deletionTimestamp: '2026-01-01T00:00:00Z' }), undefined],
])('S19: tells that an edit has no effect: %s', (_reason, before, after, fields) => {
  const warnings = checkClaimEdit(after, before)
  expect(warnings).toHaveLength(fields === undefined ? 0 : 1)
  if (fields === undefined) return
  expect(warnings[0]?.startsWith(`${fields}: `)).toBe(true)
  expect(warnings[0]).toContain('default-db-abcde')
})
