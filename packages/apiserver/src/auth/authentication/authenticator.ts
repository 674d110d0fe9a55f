import type { X509Certificate } from 'node:crypto'
import { failure, type StatusError } from '@weft/api'
import type { Clock } from '../../pki/index.ts'
import type { UserInfo } from '../user.ts'
import { createCertificateAuthenticator, type PeerCertificate } from './client-certificate.ts'
import type { ServiceAccountTokens } from './service-account-tokens.ts'
import type { StaticTokens } from './static-tokens.ts'
import { tokenFailure, type TokenResult } from './token-result.ts'

export interface Credentials {
  readonly peerCertificate?: PeerCertificate | undefined
  /** The Authorization header. */
  readonly authorization?: string | undefined
}

/**
 * Says who a request is from. Called by the HTTP front once per request; synchronous, without side effects beyond its
 * caches. `undefined` means that no credentials were given: the caller decides whether anonymous is good enough.
 * Credentials that were given and are wrong throw a 401 StatusError whose `cause` (for the log) says why.
 */
export interface Authenticator {
  authenticate(credentials: Credentials): UserInfo | undefined
  /** For TokenReview: any audience may be asked for, and the reason of a failure is the answer. */
  reviewToken(token: string, audiences?: readonly string[]): TokenResult
}

export interface AuthenticatorOptions {
  /** Authorities whose client certificates are believed. */
  readonly ca: X509Certificate | readonly X509Certificate[]
  readonly tokens?: StaticTokens | undefined
  readonly serviceAccounts?: ServiceAccountTokens | undefined
  readonly clock?: Clock | undefined
}

export function createAuthenticator({ ca, tokens, serviceAccounts, clock = Date }: AuthenticatorOptions): Authenticator {
  const certificates = createCertificateAuthenticator(Array.isArray(ca) ? ca : [ca as X509Certificate], clock)
  const serverAudiences = serviceAccounts?.audiences ?? []

  function reviewToken(token: string, audiences: readonly string[] = serverAudiences): TokenResult {
    const user = tokens?.userOf(token)
    // A static token knows nothing of audiences: it is good for this server and nobody else.
    if (user !== undefined) {
      const common = audiences.filter((audience) => serverAudiences.includes(audience))
      return common.length > 0 || audiences.length === 0 ? { type: 'authenticated', user, audiences: common } : invalidToken
    }
    return serviceAccounts?.authenticate(token, audiences) ?? invalidToken
  }

  return {
    reviewToken,
    authenticate({ peerCertificate, authorization }) {
      // As in Kubernetes the first credential that works wins, and one that fails is fatal only if none works.
      let problem: string | undefined
      if (peerCertificate !== undefined) {
        const result = certificates.authenticate(peerCertificate)
        if (result.type === 'authenticated') return result.user
        if (result.type === 'failed') problem = result.message
      }
      const token = authorization === undefined ? undefined : bearerToken(authorization)
      if (token !== undefined) {
        const result = reviewToken(token)
        if (result.type === 'authenticated') return result.user
        problem = result.message
      }
      if (problem !== undefined) throw badCredentials(problem)
      return undefined
    },
  }
}

const invalidToken = tokenFailure('invalid bearer token')

/** The token of `Bearer …`; undefined for other schemes and for an empty one. */
export function bearerToken(authorization: string): string | undefined {
  const [scheme = '', token = ''] = authorization.trim().split(' ', 2)
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}

/** 401 with Kubernetes' bare message: what exactly is wrong helps an attacker more than a user. */
const badCredentials = (why: string): StatusError =>
  failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized', cause: new Error(why) })
