import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { CLAIM_FINALIZER } from '../binding/finalizers.ts'
import { checkClaim } from './check-claim.ts'
import { claim, refTo, SERVER, SQL, SQL_CLASS } from './databases.fixture.ts'

const classRef = { ...refTo(SQL_CLASS, 'small'), uid: 'c' }
const resourceRef = { ...refTo(SQL, 'default-db-abcde'), uid: 'r' }
const held = (spec: Record<string, unknown> = { classRef, resourceRef }): KubeObject => claim('db', spec, { finalizers: [CLAIM_FINALIZER] })

describe('what a claim was satisfied with', () => {
  it.each<[string, KubeObject | undefined, KubeObject, readonly string[]]>([
    ['a claim that is new', undefined, claim('db', { classRef, resourceRef }), []],
    ['a claim that nothing is held for chooses anew', claim('db', { classRef }), claim('db', { classRef: refTo(SQL_CLASS, 'other') }), []],
    ['a waiting claim refers to another resource', claim('db', { resourceRef }), claim('db', { resourceRef: refTo(SQL, 'b') }), []],
    ['nothing is said about them', held(), held({ classRef, resourceRef, size: 3 }), []],
    ['a uid is learnt', held({ resourceRef: refTo(SQL, 'a') }), held({ resourceRef: { ...refTo(SQL, 'a'), uid: 'r' } }), []],
    ['another version is the same', held(), held({ classRef, resourceRef: { ...resourceRef, apiVersion: `${SQL.group}/v2` } }), []],
    ['kubectl replace of the file', held(), claim('db', {}), ['spec.classRef', 'spec.resourceRef']],
    ['kubectl replace of a file with the class', held(), claim('db', { classRef }), ['spec.resourceRef']],
    ['another resource', held(), held({ classRef, resourceRef: refTo(SQL, 'b') }), ['spec.resourceRef']],
    ['another kind', held(), held({ classRef, resourceRef: refTo(SERVER, 'default-db-abcde') }), ['spec.resourceRef']],
    ['another uid', held(), held({ classRef, resourceRef: { ...resourceRef, uid: 's' } }), ['spec.resourceRef']],
    ['a uid that is forgotten', held(), held({ classRef, resourceRef: refTo(SQL, 'default-db-abcde') }), ['spec.resourceRef']],
    ['another class', held(), held({ classRef: refTo(SQL_CLASS, 'other'), resourceRef }), ['spec.classRef']],
  ])('%s', (_reason, before, after, refused) => {
    const errors = checkClaim(after, before)
    expect(errors.map(({ path }) => path)).toEqual(refused)
    for (const { message } of errors) expect(message).toContain('kubectl apply')
  })
})
