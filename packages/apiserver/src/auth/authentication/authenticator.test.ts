import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { StatusError } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { createMemoryPki, issueClientCertificate } from '../../pki/index.ts'
import { EXTRA_CREDENTIAL_ID } from '../user.ts'
import { anonymousUser } from './anonymous.ts'
import { createAuthenticator, type Credentials } from './authenticator.ts'
import { parseJwt, signingKey, signJwt, verificationKey } from './jwt.ts'
import { jwksDocument, openIdConfiguration } from './oidc-discovery.ts'
import { createServiceAccountTokens, type LiveObject } from './service-account-tokens.ts'
import { parseTokenFile, TokenFileError } from './static-tokens.ts'

const START = Date.parse('2030-01-01T00:00:00Z')
const clock = { millis: START, now: () => clock.millis }
const pki = createMemoryPki({ clock })
const key = signingKey(pki.serviceAccountKey)

const live = new Map<string, LiveObject>()
const lookup = {
  serviceAccount: (namespace: string, name: string) => live.get(`${namespace}/${name}`),
  boundObject: (kind: string, namespace: string, name: string) => live.get(`${kind}/${namespace}/${name}`),
}
const serviceAccounts = createServiceAccountTokens({ key, lookup, clock })
const tokens = parseTokenFile('secret-1,jane,u1,"dev,ops"\nsecret-2,joe,u2\n')
const authenticator = createAuthenticator({ ca: pki.ca.certificate, tokens, serviceAccounts, clock })

const issue = (more: Partial<Parameters<typeof serviceAccounts.issueServiceAccountToken>[0]> = {}): string =>
  serviceAccounts.issueServiceAccountToken({ namespace: 'ns', name: 'bot', uid: 'uid-1', expirationSeconds: 3600, ...more }).token

function reset(): void {
  clock.millis = START
  live.clear()
  live.set('ns/bot', { uid: 'uid-1' })
  live.set('Secret/ns/s', { uid: 'uid-s' })
}

const peer = (pair: { certificate: string }, verified = true) => ({ raw: new X509Certificate(pair.certificate).raw, verified })
const thrownBy = (action: () => unknown): unknown => {
  try {
    action()
    return undefined
  } catch (error) {
    return error
  }
}
const codeOf = (credentials: Credentials): unknown => {
  try {
    return authenticator.authenticate(credentials)
  } catch (error) {
    return error instanceof StatusError ? error.status.code : error
  }
}

describe('authenticate', () => {
  test.each<{ reason: string; credentials: Credentials }>([
    { reason: 'nothing', credentials: {} },
    { reason: 'an empty header', credentials: { authorization: '' } },
    { reason: 'another scheme', credentials: { authorization: 'Basic amFuZTp4' } },
    { reason: 'an empty bearer token', credentials: { authorization: 'Bearer ' } },
  ])('$reason is no credential', ({ credentials }) => {
    expect(codeOf(credentials)).toBeUndefined()
  })

  test.each([
    ['Bearer secret-1', { username: 'jane', uid: 'u1', groups: ['dev', 'ops', 'system:authenticated'] }],
    ['bearer secret-2', { username: 'joe', uid: 'u2', groups: ['system:authenticated'] }],
  ])('static token %#', (authorization, user) => {
    expect(authenticator.authenticate({ authorization })).toEqual(user)
  })

  test('the same credential gives the same object, so that decisions can be remembered by it', () => {
    reset()
    const authorization = `Bearer ${issue()}`
    expect(authenticator.authenticate({ authorization })).toBe(authenticator.authenticate({ authorization }))
    const peerCertificate = peer(pki.admin)
    expect(authenticator.authenticate({ peerCertificate })).toBe(authenticator.authenticate({ peerCertificate }))
  })

  test('a client certificate: CN is the user, O are the groups', () => {
    expect(authenticator.authenticate({ peerCertificate: peer(pki.admin) })).toMatchObject({
      username: 'kubernetes-admin',
      groups: ['system:masters', 'system:authenticated'],
      extra: { [EXTRA_CREDENTIAL_ID]: [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
    })
  })

  const stranger = issueClientCertificate(createMemoryPki({ clock }).ca, { user: 'kubernetes-admin', groups: ['system:masters'], clock })
  test.each<{ reason: string; credentials: () => Credentials }>([
    { reason: 'an unknown token', credentials: () => ({ authorization: 'Bearer nope' }) },
    { reason: 'a certificate that TLS did not verify', credentials: () => ({ peerCertificate: peer(pki.admin, false) }) },
    {
      reason: 'a certificate of another authority, whatever the flag says',
      credentials: () => ({ peerCertificate: peer(stranger, true) }),
    },
    { reason: 'bytes that are no certificate', credentials: () => ({ peerCertificate: { raw: Buffer.from('x'), verified: true } }) },
  ])('$reason is 401', ({ credentials }) => {
    expect(codeOf(credentials())).toBe(401)
  })

  test('the 401 says nothing; its cause does', () => {
    const error = thrownBy(() => authenticator.authenticate({ authorization: 'Bearer nope' })) as StatusError
    expect(error.status.message).toBe('Unauthorized')
    expect(error.cause).toBeInstanceOf(Error)
  })

  test('a certificate expires during a connection', () => {
    reset()
    const peerCertificate = peer(issueClientCertificate(pki.ca, { user: 'u', clock, lifeMillis: 60_000 }))
    expect(codeOf({ peerCertificate })).toMatchObject({ username: 'u' })
    clock.millis += 61_000
    expect(codeOf({ peerCertificate })).toBe(401)
    reset()
  })

  test('a good certificate wins over a bad token, and a good token over a bad certificate', () => {
    expect(codeOf({ peerCertificate: peer(pki.admin), authorization: 'Bearer nope' })).toMatchObject({ username: 'kubernetes-admin' })
    expect(codeOf({ peerCertificate: peer(stranger, false), authorization: 'Bearer secret-1' })).toMatchObject({ username: 'jane' })
  })
})

describe('service-account tokens', () => {
  test('authenticate as the account', () => {
    reset()
    expect(codeOf({ authorization: `Bearer ${issue()}` })).toMatchObject({
      username: 'system:serviceaccount:ns:bot',
      uid: 'uid-1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
      extra: { [EXTRA_CREDENTIAL_ID]: [expect.stringMatching(/^JTI=/)] },
    })
  })

  test('carry the claims that Kubernetes puts there', () => {
    const { header, claims } = parseJwt(issue({ boundObjectRef: { kind: 'Secret', name: 's', uid: 'uid-s' } })) ?? {}
    expect(header).toEqual({ alg: 'ES256', kid: key.keyId })
    expect(claims).toEqual({
      iss: 'https://kubernetes.default.svc',
      sub: 'system:serviceaccount:ns:bot',
      aud: ['https://kubernetes.default.svc'],
      iat: START / 1000,
      nbf: START / 1000,
      exp: START / 1000 + 3600,
      jti: expect.any(String),
      'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'bot', uid: 'uid-1' }, secret: { name: 's', uid: 'uid-s' } },
    })
  })

  const revoked: { reason: string; change: () => void; bound?: true }[] = [
    { reason: 'the account is deleted', change: () => live.delete('ns/bot') },
    { reason: 'the account was made anew', change: () => live.set('ns/bot', { uid: 'uid-2' }) },
    {
      reason: 'the account has been terminating for a while',
      change: () => live.set('ns/bot', { uid: 'uid-1', deletionTimestamp: '2029-12-31T00:00:00Z' }),
    },
    { reason: 'the token expired', change: () => void (clock.millis += 3_661_000) },
    { reason: 'the clock is before its time', change: () => void (clock.millis -= 61_000) },
    { reason: 'the bound secret is gone', change: () => live.delete('Secret/ns/s'), bound: true },
    { reason: 'the bound secret was made anew', change: () => live.set('Secret/ns/s', { uid: 'other' }), bound: true },
  ]
  test.each(revoked)('stop working when $reason, although they were verified before', ({ change, bound }) => {
    reset()
    const authorization = `Bearer ${issue(bound && { boundObjectRef: { kind: 'Secret', name: 's', uid: 'uid-s' } })}`
    expect(codeOf({ authorization })).toMatchObject({ uid: 'uid-1' })
    change()
    expect(codeOf({ authorization })).toBe(401)
    reset()
    expect(codeOf({ authorization })).toMatchObject({ uid: 'uid-1' })
  })

  test('for another audience are refused here, but a review that asks for it accepts them', () => {
    reset()
    const token = issue({ audiences: ['vault'] })
    expect(codeOf({ authorization: `Bearer ${token}` })).toBe(401)
    expect(authenticator.reviewToken(token, ['vault', 'x'])).toMatchObject({ type: 'authenticated', audiences: ['vault'] })
    expect(authenticator.reviewToken(token, ['x'])).toMatchObject({ type: 'failed' })
  })

  const claims = parseJwt(issue())?.claims ?? {}
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const other = signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
  const forged: { reason: string; token: string }[] = [
    { reason: 'alg none', token: `${part({ alg: 'none' })}.${part(claims)}.` },
    { reason: 'alg HS256 with the public key as the secret', token: `${part({ alg: 'HS256', kid: key.keyId })}.${part(claims)}.AAAA` },
    { reason: 'another key', token: signJwt(other, claims) },
    { reason: 'another key under our kid', token: signJwt({ ...other, keyId: key.keyId }, claims) },
    {
      reason: 'changed claims',
      token: [issue().split('.')[0], part({ ...claims, sub: 'system:serviceaccount:kube-system:admin' }), issue().split('.')[2]].join('.'),
    },
    {
      reason: 'a critical extension',
      token: (() => {
        const t = issue().split('.')
        return `${part({ alg: 'ES256', kid: key.keyId, crit: ['x'] })}.${t[1]}.${t[2]}`
      })(),
    },
    { reason: 'our key, but a subject that is not the account', token: signJwt(key, { ...claims, sub: 'system:admin' }) },
    { reason: 'our key, but no Kubernetes claims', token: signJwt(key, { iss: claims['iss'], sub: 'x', aud: claims['aud'], exp: 9e9 }) },
    { reason: 'another issuer', token: signJwt(key, { ...claims, iss: 'https://evil' }) },
    { reason: 'not base64', token: 'a.b c.d' },
    { reason: 'no expiry', token: signJwt(key, { ...claims, exp: undefined }) },
  ]
  test.each(forged)('forged: $reason', ({ token }) => {
    reset()
    expect(codeOf({ authorization: `Bearer ${token}` })).toBe(401)
  })

  test('a retired key still verifies what it signed', () => {
    reset()
    const next = createServiceAccountTokens({ key: other, previousKeys: [verificationKey(pki.serviceAccountKey)], lookup, clock })
    expect(next.authenticate(issue())).toMatchObject({ type: 'authenticated' })
    expect(next.jwks().keys.length).toBe(2)
  })

  test('RS256 works as well', () => {
    reset()
    const rsa = signingKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
    const issuer = createServiceAccountTokens({ key: rsa, lookup, clock })
    const { token } = issuer.issueServiceAccountToken({ namespace: 'ns', name: 'bot', uid: 'uid-1', expirationSeconds: 600 })
    expect(parseJwt(token)?.header['alg']).toBe('RS256')
    expect(issuer.authenticate(token)).toMatchObject({ type: 'authenticated' })
  })

  test('live at least ten minutes', () => {
    expect(() => issue({ expirationSeconds: 599 })).toThrow(RangeError)
  })

  test('the discovery documents', () => {
    const configuration = JSON.parse(openIdConfiguration(serviceAccounts, 'https://127.0.0.1:6443/').body) as object
    expect(configuration).toEqual({
      issuer: 'https://kubernetes.default.svc',
      jwks_uri: 'https://127.0.0.1:6443/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    })
    const { keys } = JSON.parse(jwksDocument(serviceAccounts).body) as { keys: Record<string, string>[] }
    expect(keys[0]).toMatchObject({ use: 'sig', kty: 'EC', crv: 'P-256', alg: 'ES256', kid: key.keyId })
    expect(keys[0]).not.toHaveProperty('d')
  })
})

describe('token file', () => {
  test.each([
    {
      reason: 'quotes, CRLF and a last line without end',
      text: '"a""b",u,id,"g1,g2"\r\nt2,v,id2',
      token: 'a"b',
      groups: ['g1', 'g2', 'system:authenticated'],
    },
    { reason: 'empty lines', text: '\n\nt,u,id\n\n', token: 't', groups: ['system:authenticated'] },
    { reason: 'the last of two equal tokens', text: 't,x,1\nt,u,2,g', token: 't', groups: ['g', 'system:authenticated'] },
  ])('$reason', ({ text, token, groups }) => {
    expect(parseTokenFile(text).userOf(token)).toMatchObject({ username: 'u', groups })
  })
  test.each([
    { reason: 'too few columns', text: 'a,b,c\nsecret,b', line: 2 },
    { reason: 'an empty token', text: ',b,c', line: 1 },
    { reason: 'an open quote', text: 'a,b,c\nsecret,"b,c', line: 2 },
    { reason: 'a quote inside a column', text: 'se"cret,b,c', line: 1 },
  ])('$reason: an error with the line, without the token', ({ text, line }) => {
    const error = thrownBy(() => parseTokenFile(text)) as TokenFileError
    expect(error).toBeInstanceOf(TokenFileError)
    expect(error.line).toBe(line)
    expect(error.message).not.toContain('secret')
  })
})

test.each([
  ['/healthz', true],
  ['/livez/ping', true],
  ['/readyz', true],
  ['/version', false],
  ['/healthzy', false],
  ['/api/v1/healthz', false],
])('anonymous is off except health: %s', (path, open) => {
  expect(anonymousUser(path) !== undefined).toBe(open)
})
