import type { ManagedFieldsEntry } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { capUpdateManagers } from './cap-managers.ts'
import { fieldsNamed } from './fields/field-set.ts'
import {
  decodeManagedFields,
  encodeManagedFields,
  isReset,
  managedSet,
  managerId,
  type Managers,
  sameEntries,
  validateManagedFields,
} from './managed-fields.ts'

const entry = (more: object = {}): ManagedFieldsEntry =>
  ({ manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:a': {} }, ...more }) as ManagedFieldsEntry
const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`

describe('who is the same manager', () => {
  it.each([
    {
      reason: 'an updater, in each version',
      who: { manager: 'm', operation: 'Update', apiVersion: 'v1', subresource: '' },
      id: '{"manager":"m","operation":"Update","apiVersion":"v1"}',
    },
    {
      reason: 'an applier, in all versions',
      who: { manager: 'm', operation: 'Apply', apiVersion: 'v1', subresource: '' },
      id: '{"manager":"m","operation":"Apply"}',
    },
    {
      reason: 'through each subresource',
      who: { manager: 'm', operation: 'Apply', apiVersion: 'v1', subresource: 'status' },
      id: '{"manager":"m","operation":"Apply","subresource":"status"}',
    },
    {
      reason: 'without a name or a version',
      who: { manager: '', operation: 'Update', apiVersion: '', subresource: '' },
      id: '{"operation":"Update"}',
    },
  ] as const)('$reason', ({ who, id }) => {
    expect(managerId(who)).toBe(id)
  })
})

describe('entries', () => {
  const read = (entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] | undefined =>
    encodeManagedFields(decodeManagedFields(entries))

  it.each([
    {
      reason: 'nothing but what it needs',
      sent: { operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:a': {} } },
    },
    { reason: 'all there is', sent: entry({ time: at(1), subresource: 'status' }) },
  ])('are written as they were read: $reason', ({ sent }) => {
    const [managed] = decodeManagedFields([sent as ManagedFieldsEntry]).values()
    const { entry: _, ...changed } = managed as NonNullable<typeof managed>
    expect(encodeManagedFields(new Map([[changed.id, changed]]))).toEqual([sent])
    expect(read([sent as ManagedFieldsEntry])?.[0]).toBe(sent)
  })

  it('none are left out altogether', () => {
    expect(read([])).toBeUndefined()
  })

  it('of a writer without a name are those of an unknown one', () => {
    const { manager, id } = managedSet(
      { manager: '', operation: 'Apply', apiVersion: 'v1', subresource: '' },
      fieldsNamed(['a']),
      undefined,
    )
    expect([manager, id]).toEqual(['unknown', '{"manager":"unknown","operation":"Apply"}'])
  })

  it('come in order: appliers, then by time, name, version and subresource', () => {
    const ordered = [
      entry({ operation: 'Apply', manager: 'z', time: at(9) }),
      entry({ manager: 'x' }),
      entry({ manager: 'y', time: 'nonsense' }),
      entry({ manager: 'yy', time: '' }),
      entry({ manager: 'z', time: at(1) }),
      entry({ manager: 'a', time: at(2) }),
      entry({ manager: 'b', apiVersion: 'v1', time: '2026-01-01T00:00:02.9Z' }),
      entry({ manager: 'b', apiVersion: 'v1', time: at(2), subresource: 'scale' }),
      entry({ manager: 'b', apiVersion: 'v1', time: at(2), subresource: 'status' }),
      entry({ manager: 'b', apiVersion: 'v2', time: at(2) }),
      entry({ manager: 'aa', time: at(3) }),
    ]
    expect(read(ordered.toReversed())).toEqual(ordered)
    expect(read(ordered)).toEqual(ordered)
  })

  it.each([
    { reason: 'not an object', sent: 'x', problem: /entry 1 is not an object/ },
    { reason: 'null', sent: null, problem: /entry 1 is not an object/ },
    { reason: 'no operation', sent: entry({ operation: undefined }), problem: /operation/ },
    { reason: 'another operation', sent: entry({ operation: 'Delete' }), problem: /operation/ },
    { reason: 'no version', sent: entry({ apiVersion: undefined }), problem: /apiVersion/ },
    { reason: 'no type of fields', sent: entry({ fieldsType: undefined }), problem: /missing fieldsType in managed fields entry 1/ },
    { reason: 'another type of fields', sent: entry({ fieldsType: 'FieldsV2' }), problem: /"FieldsV2" in managed fields entry 1/ },
    { reason: 'malformed fields', sent: entry({ fieldsV1: { x: {} } }), problem: /\w/ },
  ])('are refused: $reason', ({ sent, problem }) => {
    expect(() => validateManagedFields([entry(), sent as ManagedFieldsEntry])).toThrow(problem)
    expect(() => validateManagedFields([entry(), entry({ manager: 'n', operation: 'Apply' })])).not.toThrow()
  })

  it('ask to forget all owners by one that says nothing', () => {
    const asks = (...entries: unknown[]): boolean => isReset(entries as ManagedFieldsEntry[])
    expect(asks({})).toBe(true)
    expect([asks(), asks({}, {}), asks(entry()), asks(null), asks([])]).toEqual([false, false, false, false, false])
  })

  it('say the same only where all of it is the same', () => {
    const stored = [entry({ fieldsV1: { 'f:a': { 'f:b': {} }, 'f:c': {} } }), entry({ manager: 'n' })]
    const echoed = structuredClone(stored)
    expect(sameEntries(echoed, stored)).toBe(true)
    expect(sameEntries(echoed.slice(1), stored)).toBe(false)
    expect(sameEntries(echoed.toReversed(), stored)).toBe(false)
    const other = (fieldsV1: object): boolean =>
      sameEntries([{ ...echoed[0], fieldsV1 } as ManagedFieldsEntry, echoed[1] as ManagedFieldsEntry], stored)
    expect([other({ 'f:a': { 'f:b': {} } }), other({ 'f:a': {}, 'f:c': {} }), other({ 'f:a': { 'f:d': {} }, 'f:c': {} })]).toEqual([
      false,
      false,
      false,
    ])
    expect(sameEntries([entry({ time: at(1) }), entry()], [entry({ time: at(2) }), entry()])).toBe(false)
  })
})

describe('more updaters than are told apart', () => {
  const managersOf = (...entries: ManagedFieldsEntry[]): Managers => {
    const managers = decodeManagedFields(entries)
    capUpdateManagers(managers)
    return managers
  }
  const shown = (managers: Managers): string[] =>
    (encodeManagedFields(managers) ?? []).map(
      ({ manager, apiVersion, fieldsV1 }) => `${manager} ${apiVersion} ${Object.keys(fieldsV1 ?? {}).join(' ')}`,
    )
  const updaters = (count: number, more: (index: number) => object = () => ({})): ManagedFieldsEntry[] =>
    Array.from({ length: count }, (_, i) => entry({ manager: `u${i}`, time: at(10 + i), fieldsV1: { [`f:${i}`]: {} }, ...more(i) }))

  it('ten are left alone, and so are any number of appliers', () => {
    const appliers = Array.from({ length: 12 }, (_, i) => entry({ manager: `a${i}`, operation: 'Apply' }))
    expect(managersOf(...updaters(10), ...appliers).size).toBe(22)
  })

  it('the two oldest become one, with the time of the younger', () => {
    const managers = managersOf(...updaters(11))
    expect(managers.size).toBe(10)
    expect(shown(managers)[0]).toBe('ancient-changes v1 f:0 f:1')
    expect(encodeManagedFields(managers)?.[0]?.time).toBe(at(11))
    expect(shown(managers)[1]).toBe('u2 v1 f:2')
  })

  it('of the same age, by name', () => {
    const managers = managersOf(...updaters(11, () => ({ time: at(1) })).toReversed())
    expect(shown(managers)[0]).toBe('ancient-changes v1 f:0 f:1')
  })

  it('each version has its own', () => {
    const managers = managersOf(...updaters(12, (i) => ({ apiVersion: i % 2 === 0 ? 'v1' : 'v2' })))
    expect(shown(managers).slice(0, 3)).toEqual(['ancient-changes v1 f:0 f:2', 'ancient-changes v2 f:1 f:3', 'u4 v1 f:4'])
    expect(managers.size).toBe(10)
  })

  it('later ones join those that were merged before', () => {
    const merged = managersOf(...updaters(12))
    const next = managersOf(...(encodeManagedFields(merged) ?? []), entry({ manager: 'u12', time: at(30), fieldsV1: { 'f:12': {} } }))
    expect(shown(next)[0]).toBe('ancient-changes v1 f:0 f:1 f:2 f:3')
    expect(next.size).toBe(10)
  })

  it('the only one of its version is never merged', () => {
    const managers = managersOf(...updaters(11, (i) => ({ apiVersion: `v${i}` })))
    expect(managers.size).toBe(11)
  })
})
