import { type KubeObject, StatusError } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { createMemoryPki } from '../../pki/index.ts'
import { createAuthenticator } from './authenticator.ts'
import { signingKey } from './jwt.ts'
import { createServiceAccountTokens } from './service-account-tokens.ts'
import { evaluateTokenRequest, type TokenRequestContext } from './token-request.ts'
import { evaluateSelfSubjectReview, evaluateTokenReview } from './token-review.ts'

const clock = { now: () => Date.parse('2030-01-01T00:00:00Z') }
const pki = createMemoryPki({ clock })
const objects: Record<string, { uid: string; serviceAccountName?: string }> = {
  'Secret/ns/s': { uid: 'uid-s' },
  'Pod/ns/p': { uid: 'uid-p', serviceAccountName: 'bot' },
  'Pod/ns/q': { uid: 'uid-q', serviceAccountName: 'other' },
}
const boundObject = (kind: string, namespace: string, name: string) => objects[`${kind}/${namespace}/${name}`]
const lookup = { serviceAccount: () => ({ uid: 'uid-1' }), boundObject }
const tokens = createServiceAccountTokens({ key: signingKey(pki.serviceAccountKey), lookup, clock })
const context: TokenRequestContext = { tokens, serviceAccount: { namespace: 'ns', name: 'bot', uid: 'uid-1' }, boundObject, clock }
const request = (spec: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  metadata,
  spec,
})
const authenticator = createAuthenticator({ ca: pki.ca.certificate, serviceAccounts: tokens, clock })

const refusalOf = (action: () => unknown): StatusError['status'] | undefined => {
  try {
    action()
    return undefined
  } catch (error) {
    return (error as StatusError).status
  }
}

describe('TokenRequest', () => {
  test('answers a token that works, with the defaults filled in', () => {
    const { object } = evaluateTokenRequest(request(), context)
    expect(object).toMatchObject({
      metadata: { name: 'bot', namespace: 'ns', creationTimestamp: '2030-01-01T00:00:00Z' },
      spec: { audiences: ['https://kubernetes.default.svc'], expirationSeconds: 3600 },
      status: { token: expect.any(String), expirationTimestamp: '2030-01-01T01:00:00Z' },
    })
    const { token } = object['status'] as { token: string }
    expect(authenticator.authenticate({ authorization: `Bearer ${token}` })?.username).toBe('system:serviceaccount:ns:bot')
  })

  test('binds to an object', () => {
    const { object } = evaluateTokenRequest(request({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } }), context)
    const { token } = object['status'] as { token: string }
    expect(authenticator.authenticate({ authorization: `Bearer ${token}` })?.extra).toMatchObject({
      'authentication.kubernetes.io/pod-uid': ['uid-p'],
    })
  })

  test('a long life is cut, with a warning', () => {
    const result = evaluateTokenRequest(request({ expirationSeconds: 100_000 }), { ...context, maxExpirationSeconds: 86_400 })
    expect(result.object['spec']).toMatchObject({ expirationSeconds: 86_400 })
    expect(result.warnings.length).toBe(1)
  })

  const ref = (more: object): object => ({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's', ...more } })
  test.each([
    { reason: 'less than ten minutes', input: request({ expirationSeconds: 599 }), code: 422 },
    { reason: 'more than 2^32 seconds', input: request({ expirationSeconds: 2 ** 33 }), code: 422 },
    { reason: 'another name', input: request({}, { name: 'x' }), code: 422 },
    { reason: 'another namespace', input: request({}, { namespace: 'x' }), code: 422 },
    { reason: 'another uid', input: request({}, { uid: 'x' }), code: 409 },
    { reason: 'a bound object that is not there', input: request(ref({ name: 'gone' })), code: 404 },
    { reason: 'a bound object with another uid', input: request(ref({ uid: 'x' })), code: 409 },
    { reason: 'a kind that cannot be bound', input: request(ref({ kind: 'ConfigMap' })), code: 400 },
    { reason: 'a pod of another account', input: request(ref({ kind: 'Pod', name: 'q' })), code: 400 },
  ])('$reason is $code', ({ input, code }) => {
    expect(refusalOf(() => evaluateTokenRequest(input, context))?.code).toBe(code)
  })
})

describe('TokenReview', () => {
  const review = (spec: object): KubeObject => ({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec })
  test('a good token names its user', () => {
    const { token } = tokens.issueServiceAccountToken({ ...context.serviceAccount, audiences: ['vault'], expirationSeconds: 600 })
    expect(evaluateTokenReview(review({ token, audiences: ['vault'] }), authenticator)['status']).toMatchObject({
      authenticated: true,
      user: { username: 'system:serviceaccount:ns:bot', uid: 'uid-1' },
      audiences: ['vault'],
    })
  })
  test('a bad token says why', () => {
    const status = evaluateTokenReview(review({ token: 'x' }), authenticator)['status']
    expect(status).toEqual({ user: {}, error: 'invalid bearer token' })
  })
  test('no token is 400', () => {
    expect(() => evaluateTokenReview(review({}), authenticator)).toThrow(StatusError)
  })
  test('whoami', () => {
    const self = evaluateSelfSubjectReview(
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} },
      { username: 'u', groups: ['g'] },
      clock,
    )
    expect(self['status']).toEqual({ userInfo: { username: 'u', groups: ['g'] } })
  })
})
