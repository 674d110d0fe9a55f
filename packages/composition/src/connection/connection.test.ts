import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contractDetails, contractErrors, duplicateDetails, uniteDetails } from './collect.ts'
import { fromSecretData, sameDetails, textToBase64 as b64 } from './data.ts'
import { type ConnectionDetail, parseConnectionDetails } from './detail.ts'
import { selectDetails } from './select.ts'

const details = (raw: unknown): readonly ConnectionDetail[] => {
  const result = parseConnectionDetails(raw)
  if (!result.ok) throw new Error(result.error.map((e) => `${e.path}: ${e.message}`).join('; '))
  return result.value
}
const encode = (data: Record<string, string>) => Object.fromEntries(Object.entries(data).map(([key, value]) => [key, b64(value)]))

describe('selectDetails', () => {
  const secret = encode({ 'admin-username': 'root', password: 'secret', endpoint: 'db.example.org' })
  const object = { status: { port: 3306, address: '10.0.0.1', nothing: null } }

  it('C7 002:1139: names default to the key, and may rename it', () => {
    const wanted = details([
      { name: 'username', fromConnectionSecretKey: 'admin-username' },
      { fromConnectionSecretKey: 'password' },
      { fromConnectionSecretKey: 'endpoint' },
    ])
    expect(selectDetails(wanted, { secret }).data).toEqual(encode({ username: 'root', password: 'secret', endpoint: 'db.example.org' }))
  })

  it('fields and fixed values; anything but text as JSON', () => {
    const wanted = details([
      { name: 'host', fromFieldPath: 'status.address' },
      { name: 'port', type: 'FromFieldPath', fromFieldPath: 'status.port' },
      { name: 'scheme', value: 'mysql' },
      { name: 'empty', value: '' },
    ])
    expect(selectDetails(wanted, { secret, object }).data).toEqual(encode({ host: '10.0.0.1', port: '3306', scheme: 'mysql', empty: '' }))
  })

  it('what is not there yet is missing, not an error', () => {
    const wanted = details([
      { fromConnectionSecretKey: 'later' },
      { name: 'a', fromFieldPath: 'status.nothing' },
      { fromConnectionSecretKey: 'constructor' },
    ])
    expect(selectDetails(wanted, { secret, object })).toMatchObject({
      data: {},
      missing: [{ name: 'later' }, { name: 'a' }, { name: 'constructor' }],
    })
    expect(selectDetails(wanted, {}).missing).toHaveLength(3)
  })

  it('bytes are taken as they are', () => {
    expect(selectDetails(details([{ fromConnectionSecretKey: 'k' }]), { secret: { k: new Uint8Array([0, 255]) } }).data).toEqual({
      k: 'AP8=',
    })
  })

  it.each<[unknown, string]>([
    [[{}], 'connectionDetails[0].fromConnectionSecretKey'],
    [[{ fromFieldPath: 'a' }], 'connectionDetails[0].name'],
    [[{ value: 'a' }], 'connectionDetails[0].name'],
    [[{ name: 'a/b', value: 'x' }], 'connectionDetails[0].name'],
    [[{ name: 'a', value: 'x', fromFieldPath: 'y' }], 'connectionDetails[0]'],
    [[{ name: 'a', type: 'FromSky', value: 'x' }], 'connectionDetails[0].type'],
    [[{ name: 'a', fromFieldPath: 'x[*]' }], 'connectionDetails[0].fromFieldPath'],
    [{}, 'connectionDetails'],
  ])('refuses %j', (raw, path) => {
    const result = parseConnectionDetails(raw)
    expect(!result.ok && result.error.map((e) => e.path)).toEqual([path])
  })
})

describe('uniteDetails', () => {
  it('A20, B2 000:378-407: the union', () => {
    const result = uniteDetails([
      { member: 'a', data: encode({ username: 'cooluser', password: 'verysecure' }) },
      { member: 'b', data: encode({ url: 'https://example.org' }) },
    ])
    expect(result).toEqual({ data: encode({ username: 'cooluser', password: 'verysecure', url: 'https://example.org' }), conflicts: [] })
  })

  it('B3: on a conflict the last wins, and it is reported', () => {
    const result = uniteDetails([
      { member: 'a', data: encode({ user: 'one' }) },
      { member: 'b', data: encode({ user: 'two' }) },
      { member: 'c', data: encode({ user: 'three' }) },
    ])
    expect(result).toEqual({ data: encode({ user: 'three' }), conflicts: [{ key: 'user', kept: 'c', dropped: ['a', 'b'] }] })
  })

  it('members that agree do not conflict', () => {
    expect(
      uniteDetails([
        { member: 'a', data: encode({ k: 'v' }) },
        { member: 'b', data: encode({ k: 'v' }) },
      ]).conflicts,
    ).toEqual([])
  })

  it('A21: prefixes keep keys apart', () => {
    const result = uniteDetails([
      { member: 'a', data: encode({ user: 'one' }), prefix: 'primary-' },
      { member: 'b', data: encode({ user: 'two' }) },
    ])
    expect(result).toEqual({ data: encode({ 'primary-user': 'one', user: 'two' }), conflicts: [] })
  })

  it('every key of every member is there, with the value of its last writer', () => {
    const data = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.constantFrom('MQ==', 'Mg=='))
    fc.assert(
      fc.property(fc.array(data, { maxLength: 4 }), (members) => {
        const { data: union } = uniteDetails(members.map((each, i) => ({ member: String(i), data: each })))
        for (const key of new Set(members.flatMap((each) => Object.keys(each)))) {
          const last = members.findLast((each) => Object.hasOwn(each, key))
          expect(Object.getOwnPropertyDescriptor(union, key)?.value).toBe(last?.[key])
        }
      }),
    )
  })
})

describe('C16: the contract', () => {
  const promised = ['username', 'password', 'endpoint']
  const template = (raw: unknown) => ({ connectionDetails: details(raw) })
  const first = [{ name: 'username', fromConnectionSecretKey: 'admin-username' }, { fromConnectionSecretKey: 'password' }]

  it('002:1126: satisfied by one template', () => {
    expect(contractErrors(promised, [template([...first, { fromConnectionSecretKey: 'endpoint' }])])).toEqual([])
  })

  it('002:1154: satisfied by two', () => {
    expect(contractErrors(promised, [template(first), template([{ fromConnectionSecretKey: 'endpoint' }])])).toEqual([])
  })

  it('a missing and a duplicate detail are errors', () => {
    expect(contractErrors(promised, [template(first), template([{ fromConnectionSecretKey: 'password' }])])).toMatchObject([
      { type: 'FieldValueDuplicate' },
      { type: 'FieldValueRequired', path: 'spec.to' },
    ])
  })

  it('C7: duplicates within one Composition, promised or not', () => {
    expect(duplicateDetails([template([{ fromConnectionSecretKey: 'x' }]), template([{ fromConnectionSecretKey: 'x' }])])).toMatchObject([
      { type: 'FieldValueDuplicate' },
    ])
  })

  it('only promised keys are published', () => {
    const data = encode({ username: 'a', password: 'b', internal: 'c' })
    expect(contractDetails(promised, data)).toEqual({ data: encode({ username: 'a', password: 'b' }), missing: ['endpoint'] })
    expect(contractDetails([], data).data).toEqual({})
    expect(contractDetails(undefined, data).data).toBe(data)
  })
})

describe('secret data', () => {
  it('C32: an exact copy is recognised, whatever the form', () => {
    const bytes = { a: new Uint8Array([1, 2, 3]) }
    const data = { a: 'AQID' }
    expect(fromSecretData(data)).toEqual(bytes)
    expect(sameDetails(bytes, data)).toBe(true)
    expect(sameDetails(data, { ...data, b: 'AQ==' })).toBe(false)
    expect(sameDetails({ a: 'AQ==' }, { b: 'AQ==' })).toBe(false)
  })
})
