import { goQuoteList } from '@weft/api'
import { hash, randomUUID } from 'node:crypto'
import type { Clock } from '../../pki/index.ts'
import { EXTRA_CREDENTIAL_ID, serviceAccountGroups, serviceAccountUsername, type UserInfo, withAuthenticatedGroup } from '../user.ts'
import { type JsonWebKeySet, keySet, parseJwt, type SigningKey, signJwt, type VerificationKey, verifyJwt } from './jwt.ts'
import { type BoundObject, decodeClaims, encodeClaims, type ServiceAccountClaims } from './service-account-claims.ts'
import { tokenFailure, type TokenResult } from './token-result.ts'

export const MIN_TOKEN_SECONDS = 600
export const DEFAULT_ISSUER = 'https://kubernetes.default.svc'
/** Clocks of client and server may differ by this much. */
const LEEWAY_SECONDS = 60
const CACHE_LIMIT = 10_000

/** What is left of an object that a token depends on; a change of uid means that it was made anew. */
export interface LiveObject {
  readonly uid: string
  readonly deletionTimestamp?: string | undefined
}

/**
 * Answers from the registry's caches, synchronously, on every request that carries a service-account token: deleting a
 * ServiceAccount (or the object a token is bound to) revokes the token at once. A kind that is not served is undefined.
 */
export interface ServiceAccountLookup {
  serviceAccount(namespace: string, name: string): LiveObject | undefined
  boundObject(kind: BoundObject['kind'], namespace: string, name: string): LiveObject | undefined
}

export interface IssueOptions {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** Defaults to the server's own audiences. */
  readonly audiences?: readonly string[]
  readonly expirationSeconds: number
  readonly boundObjectRef?: BoundObject
  readonly node?: { readonly name: string; readonly uid?: string }
}

export interface IssuedToken {
  readonly token: string
  readonly id: string
  /** Milliseconds. */
  readonly expiry: number
}

export interface ServiceAccountTokens {
  readonly issuer: string
  /** Audiences of the API server itself. */
  readonly audiences: readonly string[]
  /** Signs a token; does not look at whether the account exists. Lives shorter than ten minutes are a RangeError. */
  issueServiceAccountToken(options: IssueOptions): IssuedToken
  /** `undefined`: not a token of this issuer, so another authenticator may know it. */
  authenticate(token: string, audiences?: readonly string[]): TokenResult | undefined
  jwks(): JsonWebKeySet
}

export interface ServiceAccountTokenOptions {
  readonly key: SigningKey
  /** Keys that no longer sign but still verify, for rotation. */
  readonly previousKeys?: readonly VerificationKey[]
  readonly lookup: ServiceAccountLookup
  readonly issuer?: string
  readonly audiences?: readonly string[]
  readonly clock?: Clock
}

export function createServiceAccountTokens(options: ServiceAccountTokenOptions): ServiceAccountTokens {
  const { key, previousKeys = [], lookup, issuer = DEFAULT_ISSUER, audiences = [issuer], clock = Date } = options
  const keys = [key, ...previousKeys]
  const verified = new Map<string, Verified>()

  function verifySignature(token: string): Verified | TokenResult | undefined {
    // Hashed, so that the cache is not one more place where tokens can be read.
    const digest = hash('sha256', token, 'base64')
    const known = verified.get(digest)
    if (known !== undefined) return known
    const parsed = parseJwt(token)
    if (parsed === undefined || parsed.claims['iss'] !== issuer) return undefined
    if (!verifyJwt(parsed, keys)) return tokenFailure('invalid signature')
    const claims = decodeClaims(parsed.claims)
    if (claims === undefined) return tokenFailure('service account token claims could not be validated')
    if (claims.subject !== serviceAccountUsername(claims.namespace, claims.serviceAccount.name))
      return tokenFailure('service account token subject does not match its claims')
    const entry: Verified = { claims, user: userOf(claims) }
    if (verified.size >= CACHE_LIMIT) evict(verified, clock.now() / 1000)
    verified.set(digest, entry)
    return entry
  }

  return {
    issuer,
    audiences,
    issueServiceAccountToken(request) {
      if (request.expirationSeconds < MIN_TOKEN_SECONDS) throw new RangeError(`a token lives at least ${MIN_TOKEN_SECONDS} seconds`)
      const now = Math.floor(clock.now() / 1000)
      const claims: ServiceAccountClaims = {
        issuer,
        audiences: request.audiences ?? audiences,
        subject: serviceAccountUsername(request.namespace, request.name),
        id: randomUUID(),
        issuedAt: now,
        notBefore: now,
        expiry: now + request.expirationSeconds,
        namespace: request.namespace,
        serviceAccount: { name: request.name, uid: request.uid },
        ...(request.boundObjectRef !== undefined && { bound: request.boundObjectRef }),
        ...(request.node !== undefined && { node: request.node }),
      }
      return { token: signJwt(key, encodeClaims(claims)), id: claims.id, expiry: claims.expiry * 1000 }
    },
    authenticate(token, requested = audiences) {
      const entry = verifySignature(token)
      if (entry === undefined || 'type' in entry) return entry
      const { claims, user } = entry
      const common = claims.audiences.filter((audience) => requested.includes(audience))
      if (common.length === 0)
        return tokenFailure(
          `token audiences ${goQuoteList(claims.audiences)} is invalid for the target audiences ${goQuoteList(requested)}`,
        )
      const problem = lifeProblem(claims, clock.now() / 1000) ?? existenceProblem(claims, lookup, clock.now())
      return problem === undefined ? { type: 'authenticated', user, audiences: common } : tokenFailure(problem)
    },
    jwks: () => keySet(keys),
  }
}

interface Verified {
  readonly claims: ServiceAccountClaims
  readonly user: UserInfo
}

/** Expired entries first; when that frees nothing, the oldest half. */
function evict(cache: Map<string, Verified>, now: number): void {
  for (const [digest, { claims }] of cache) if (claims.expiry + LEEWAY_SECONDS < now) cache.delete(digest)
  if (cache.size < CACHE_LIMIT) return
  for (const digest of [...cache.keys()].slice(0, CACHE_LIMIT / 2)) cache.delete(digest)
}

function userOf({ namespace, serviceAccount, id, bound, node }: ServiceAccountClaims): UserInfo {
  const where = bound?.kind === 'Node' ? bound : node
  const extra = {
    ...(id !== '' && { [EXTRA_CREDENTIAL_ID]: [`JTI=${id}`] }),
    ...(bound?.kind === 'Pod' && {
      'authentication.kubernetes.io/pod-name': [bound.name],
      'authentication.kubernetes.io/pod-uid': [bound.uid],
    }),
    ...(where !== undefined && { 'authentication.kubernetes.io/node-name': [where.name] }),
    ...(where?.uid && { 'authentication.kubernetes.io/node-uid': [where.uid] }),
  }
  return withAuthenticatedGroup({
    username: serviceAccountUsername(namespace, serviceAccount.name),
    uid: serviceAccount.uid,
    groups: serviceAccountGroups(namespace),
    ...(Object.keys(extra).length > 0 && { extra }),
  })
}

function lifeProblem({ expiry, notBefore, issuedAt }: ServiceAccountClaims, now: number): string | undefined {
  if (now - LEEWAY_SECONDS > expiry) return 'service account token has expired'
  if (now + LEEWAY_SECONDS < notBefore) return 'service account token is not valid yet'
  if (now + LEEWAY_SECONDS < issuedAt) return 'service account token is issued in the future'
  return undefined
}

function existenceProblem(
  { namespace, serviceAccount, bound }: ServiceAccountClaims,
  lookup: ServiceAccountLookup,
  now: number,
): string | undefined {
  const account = lookup.serviceAccount(namespace, serviceAccount.name)
  if (account === undefined) return `serviceaccounts "${serviceAccount.name}" not found`
  if (account.uid !== serviceAccount.uid) return `service account UID (${account.uid}) does not match claim (${serviceAccount.uid})`
  if (isGone(account, now)) return `service account ${namespace}/${serviceAccount.name} has been deleted`
  if (bound === undefined) return undefined
  const object = lookup.boundObject(bound.kind, bound.kind === 'Node' ? '' : namespace, bound.name)
  if (object === undefined || isGone(object, now)) return 'service account token has been invalidated'
  const kind = bound.kind.toLowerCase()
  return object.uid === bound.uid
    ? undefined
    : `${kind} UID (${object.uid}) does not match service account ${kind} ref claim (${bound.uid})`
}

/** An object that waits for its finalizers keeps its tokens for the leeway, as its pods may still be shutting down. */
const isGone = ({ deletionTimestamp }: LiveObject, now: number): boolean =>
  deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < now - LEEWAY_SECONDS * 1000
