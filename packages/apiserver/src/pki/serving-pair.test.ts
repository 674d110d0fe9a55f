import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { renewServingPair, type ServingPair } from './serving-pair.ts'

const hosts = ['weft.crossplane-system.svc', '127.0.0.1']
const DAY = 86_400_000
const at = (now: number) => ({ now: () => now })
const now = Date.UTC(2026, 0, 1)
const pair = renewServingPair({}, { hosts, clock: at(now) })

describe('a serving pair', () => {
  it('is signed by its own authority, for the hosts', () => {
    const certificate = new X509Certificate(pair['tls.crt'])
    expect(certificate.checkIssued(new X509Certificate(pair['ca.crt']))).toBe(true)
    expect(certificate.checkHost('weft.crossplane-system.svc')).toBe('weft.crossplane-system.svc')
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(certificate.checkHost('localhost')).toBeUndefined()
  })

  it('stays while it is good', () => {
    expect(renewServingPair(pair, { hosts: hosts.toReversed(), clock: at(now + 200 * DAY) })).toBe(pair)
  })

  it.each<[string, Partial<ServingPair>, readonly string[], number]>([
    ['a third of its life is left', pair, hosts, now + 250 * DAY],
    ['it has run out', pair, hosts, now + 500 * DAY],
    ['the hosts changed', pair, ['elsewhere.svc'], now],
    ['the certificate is damaged', { ...pair, 'tls.crt': 'no' }, hosts, now],
  ])('is renewed with the keys it has when %s', (_reason, before, wanted, time) => {
    const after = renewServingPair(before, { hosts: wanted, clock: at(time) })
    expect(after['tls.crt']).not.toBe(before['tls.crt'])
    expect([after['ca.crt'], after['tls.key']]).toEqual([pair['ca.crt'], pair['tls.key']])
    expect(Date.parse(new X509Certificate(after['tls.crt']).validTo)).toBeGreaterThan(time + 300 * DAY)
  })

  it('an authority is renewed under its name and key: what trusts the old one trusts what the new one signs', () => {
    const after = renewServingPair(pair, { hosts, clock: at(now + 3000 * DAY) })
    expect(after['ca.crt']).not.toBe(pair['ca.crt'])
    expect(after['ca.key']).toBe(pair['ca.key'])
    expect(new X509Certificate(after['tls.crt']).verify(new X509Certificate(pair['ca.crt']).publicKey)).toBe(true)
  })

  it('lost keys are made anew', () => {
    const after = renewServingPair({ ...pair, 'ca.key': 'no' }, { hosts, clock: at(now) })
    expect(after['ca.crt']).not.toBe(pair['ca.crt'])
    expect(new X509Certificate(after['tls.crt']).checkIssued(new X509Certificate(after['ca.crt']))).toBe(true)
  })
})
