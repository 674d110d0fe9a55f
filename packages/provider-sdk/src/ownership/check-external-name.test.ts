import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { checkExternalName } from './check-external-name.ts'
import { formatOwnership, type OwnershipState } from './ownership-record.ts'

const NAME = 'crossplane.io/external-name'
const RECORD = 'weft.dev/external-resource'
const object = (annotations: Record<string, string> = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'fake.weft.dev/v1',
  kind: 'Thing',
  metadata: { name: 'own', uid: 'u', annotations, ...metadata },
})
const record = (name: string, state: OwnershipState = 'held', uid = 'u'): Record<string, string> => ({
  [RECORD]: formatOwnership({ uid, state, config: 'default', name }),
})

const PENDING = 'crossplane.io/external-create-pending'
const SUCCEEDED = 'crossplane.io/external-create-succeeded'
const at = (minute: number): string => `2026-01-01T00:0${minute}:00.000Z`

describe('checkExternalName of what was made in place of another', () => {
  const before = object({ [NAME]: 'x', ...record('x'), [SUCCEEDED]: at(1), [PENDING]: at(2) })
  const after = object({ [NAME]: 'y', ...record('y'), [SUCCEEDED]: at(3), [PENDING]: at(2) })
  it('lets its provider say how that is called, and nobody else', () => {
    expect(checkExternalName(after, before, { byProvider: true })).toEqual([])
    expect(checkExternalName(after, before)).toHaveLength(1)
  })

  it.each<[reason: string, before: KubeObject, after: KubeObject]>([
    ['no creation was under way', object({ [NAME]: 'x', ...record('x'), [SUCCEEDED]: at(2), [PENDING]: at(1) }), after],
    ['it has not succeeded', before, object({ [NAME]: 'y', ...record('y'), [SUCCEEDED]: at(1), [PENDING]: at(2) })],
    ['the record is of the old one', before, object({ [NAME]: 'y', ...record('x'), [SUCCEEDED]: at(3), [PENDING]: at(2) })],
    ['the record is another’s', before, object({ [NAME]: 'y', ...record('y', 'held', 'other'), [SUCCEEDED]: at(3), [PENDING]: at(2) })],
  ])('but not if %s', (_, was, is) => expect(checkExternalName(is, was, { byProvider: true })).toHaveLength(1))
})

describe('checkExternalName', () => {
  it.each<[reason: string, before: KubeObject | undefined, after: KubeObject, refused: boolean]>([
    ['a new object', undefined, object({ [NAME]: 'x' }), false],
    ['one that owns nothing yet may be named anew', object({ [NAME]: 'x' }), object({ [NAME]: 'y' }), false],
    [
      'one that only asks, too',
      object({ [NAME]: 'x', ...record('x', 'reserved') }),
      object({ [NAME]: 'y', ...record('x', 'reserved') }),
      false,
    ],
    ['another name', object({ [NAME]: 'x', ...record('x') }), object({ [NAME]: 'y', ...record('x') }), true],
    [
      'another name by prefix',
      object({ [NAME]: 'x', ...record('x') }),
      object({ [NAME]: 'x', 'crossplane.io/external-name-prefix': 'a-', ...record('x') }),
      true,
    ],
    ['no name any more', object({ [NAME]: 'x', ...record('x') }), object(record('x')), true],
    ['everything dropped by kubectl replace, with a name of its own', object({ [NAME]: 'own', ...record('own') }), object(), false],
    [
      '…of what was made for a claim',
      { ...object({ [NAME]: 'own', ...record('own') }), spec: { claimRef: { name: 'c' } } },
      { ...object(), spec: { claimRef: { name: 'c' } } },
      true,
    ],
    ['the record dropped, with another name', object({ [NAME]: 'x', ...record('x') }), object({ [NAME]: 'x' }), true],
    ['the record forged', object({ [NAME]: 'x', ...record('x') }), object({ [NAME]: 'x', ...record('y') }), true],
    ['an adoption of what it held', object({ [NAME]: 'x', ...record('x') }), object({ [NAME]: 'x', ...record('x', 'adopted') }), false],
    ['a copied record is none', object({ [NAME]: 'x', ...record('x', 'held', 'other') }), object({ [NAME]: 'y' }), false],
    [
      'one that is going must be able to',
      object({ [NAME]: 'x', ...record('x') }),
      object({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      false,
    ],
  ])('%s', (_reason, before, after, refused) => {
    expect(checkExternalName(after, before).length > 0).toBe(refused)
  })
})
