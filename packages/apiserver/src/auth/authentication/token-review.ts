import { badRequest, formatTime, type KubeObject, specOf } from '@weft/api'
import type { Clock } from '../../pki/index.ts'
import type { UserInfo } from '../user.ts'
import type { Authenticator } from './authenticator.ts'

/** POST tokenreviews: does the token in `spec` authenticate, and whom? */
export function evaluateTokenReview(review: KubeObject, authenticator: Authenticator): KubeObject {
  const spec = specOf(review)
  const token = spec['token']
  if (typeof token !== 'string' || token === '') throw badRequest('token is required for TokenReview in authentication')
  const asked = Array.isArray(spec['audiences']) && spec['audiences'].length > 0 ? (spec['audiences'] as readonly string[]) : undefined
  const result = authenticator.reviewToken(token, asked)
  const status =
    result.type === 'authenticated'
      ? {
          authenticated: true,
          user: userStatus(result.user),
          ...(result.audiences && result.audiences.length > 0 && { audiences: result.audiences }),
        }
      : { user: {}, error: result.message }
  return { ...review, status }
}

/** POST selfsubjectreviews (`kubectl auth whoami`). */
export function evaluateSelfSubjectReview(review: KubeObject, user: UserInfo, clock: Clock = Date): KubeObject {
  return { ...review, metadata: { creationTimestamp: formatTime(clock.now()) }, status: { userInfo: userStatus(user) } }
}

/** UserInfo with empty members left out, as Kubernetes prints it. */
export function userStatus({ username, uid, groups, extra }: UserInfo): UserInfo {
  return {
    username,
    ...(uid !== undefined && uid !== '' && { uid }),
    groups,
    ...(extra !== undefined && Object.keys(extra).length > 0 && { extra }),
  }
}
