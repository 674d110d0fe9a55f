import { describe, expect, test } from 'vitest'
import * as der from './der.ts'
import { encodeAlternativeNames } from './subject-alternative-names.ts'

describe('der', () => {
  test.each(['2.5.4.3', '1.2.840.10045.4.3.2', '2.999.1234567', '0.9.2342.19200300.100.1.1'])('object identifier %s survives', (id) => {
    expect(der.decodeOid(der.decode(der.oid(id)))).toBe(id)
  })

  test.each([
    { reason: 'shortest form', bytes: [0, 0, 5], hex: '020105' },
    { reason: 'a high bit needs a zero', bytes: [0x80], hex: '02020080' },
    { reason: 'zero', bytes: [0], hex: '020100' },
  ])('integer: $reason', ({ bytes, hex }) => {
    expect(der.integer(Buffer.from(bytes)).toString('hex')).toBe(hex)
  })

  test('long contents get a long length', () => {
    const node = der.decode(der.octetString(Buffer.alloc(70_000, 7)))
    expect(node.content.length).toBe(70_000)
  })

  test.each([
    { reason: 'UTCTime before 2050', at: '2049-12-31T23:59:59Z', text: '491231235959Z', tag: der.TAG.utcTime },
    { reason: 'GeneralizedTime after', at: '2050-01-01T00:00:00Z', text: '20500101000000Z', tag: der.TAG.generalizedTime },
  ])('time: $reason', ({ at, text, tag }) => {
    const node = der.decode(der.time(Date.parse(at)))
    expect([node.tag, node.content.toString('ascii')]).toEqual([tag, text])
  })

  test.each([
    { reason: 'empty', hex: '' },
    { reason: 'truncated length', hex: '30' },
    { reason: 'content longer than the bytes', hex: '300501' },
    { reason: 'indefinite length', hex: '3080' },
    { reason: 'trailing bytes', hex: '02010000' },
    { reason: 'huge length', hex: '3085ffffffffff' },
  ])('refuses $reason', ({ hex }) => {
    expect(() => der.decode(Buffer.from(hex, 'hex'))).toThrow(der.DerError)
  })
})

describe('alternative names', () => {
  test('the order and repetition of hosts do not matter', () => {
    expect(encodeAlternativeNames(['b', 'a', '1.2.3.4', 'a'])).toEqual(encodeAlternativeNames(['1.2.3.4', 'a', 'b']))
  })
  test.each([
    ['::1', '00000000000000000000000000000001'],
    ['::', '00000000000000000000000000000000'],
    ['fe80::1:2%eth0', 'fe800000000000000000000000010002'],
    ['2001:db8:1:2:3:4:5:6', '20010db8000100020003000400050006'],
    ['::ffff:10.0.0.1', '00000000000000000000ffff0a000001'],
    ['1::', '00010000000000000000000000000000'],
  ])('IPv6 %s', (address, hex) => {
    expect(encodeAlternativeNames([address]).subarray(-16).toString('hex')).toBe(hex)
  })
  test('international names become ASCII', () => {
    expect(encodeAlternativeNames(['müller.example']).toString('latin1')).toContain('xn--mller-kva.example')
  })
})
