import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { renewAuthorityPair, renewTlsPair, type TlsPair } from './tls-pair.ts'

const DAY = 86_400_000
const now = Date.UTC(2026, 0, 1)
const at = (time: number) => ({ now: () => time })
const authority = renewAuthorityPair({}, at(now))
const server = renewTlsPair(authority, {}, { purpose: { hosts: ['a.svc'] }, clock: at(now) })
const client = renewTlsPair(authority, {}, { purpose: { user: 'weft' }, clock: at(now) })

const signedBy = ({ 'tls.crt': certificate }: TlsPair, { 'tls.crt': by }: TlsPair): boolean =>
  new X509Certificate(certificate).verify(new X509Certificate(by).publicKey)

describe('pairs in Secrets', () => {
  it('stay while they are good', () => {
    const clock = at(now + 100 * DAY)
    expect(renewAuthorityPair(authority, clock)).toBe(authority)
    expect(renewTlsPair(authority, server, { purpose: { hosts: ['a.svc'] }, clock })).toBe(server)
    expect(renewTlsPair(authority, client, { purpose: { user: 'weft' }, clock })).toBe(client)
  })

  it.each([
    { reason: 'it runs out', before: server, hosts: ['a.svc'], time: now + 300 * DAY },
    { reason: 'it is for another server', before: server, hosts: ['b.svc'], time: now },
    { reason: 'it is damaged', before: { ...server, 'tls.crt': 'no' }, hosts: ['a.svc'], time: now },
  ])('get another certificate for the key that they have when $reason', ({ before, hosts, time }) => {
    const after = renewTlsPair(authority, before, { purpose: { hosts }, clock: at(time) })
    expect(after['tls.crt']).not.toBe(before['tls.crt'])
    expect(after['tls.key']).toBe(server['tls.key'])
    expect(signedBy(after, authority)).toBe(true)
  })

  it('are signed anew when the authority is another', () => {
    const other = renewAuthorityPair({}, at(now))
    expect(signedBy(renewTlsPair(other, client, { purpose: { user: 'weft' }, clock: at(now) }), other)).toBe(true)
  })

  it('an authority with a key of another kind, which somebody else made, stays and signs', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const theirs = renewAuthorityPair({ 'tls.key': privateKey.export({ type: 'pkcs8', format: 'pem' }) as string }, at(now))
    expect(createPublicKey(theirs['tls.key']).asymmetricKeyType).toBe('rsa')
    expect(renewAuthorityPair(theirs, at(now + DAY))).toBe(theirs)
    expect(signedBy(renewTlsPair(theirs, {}, { purpose: { hosts: ['a.svc'] }, clock: at(now) }), theirs)).toBe(true)
  })
})
