import { notFound } from '@weft/api'
import {
  type Authenticator,
  evaluateLocalSubjectAccessReview,
  evaluateSelfSubjectAccessReview,
  evaluateSelfSubjectReview,
  evaluateSelfSubjectRulesReview,
  evaluateSubjectAccessReview,
  evaluateTokenRequest,
  evaluateTokenReview,
  type RbacAuthorizer,
  type ServiceAccountLookup,
  type ServiceAccountTokens,
} from '../auth/index.ts'
import { storageKey, subjectOf } from '../registry/index.ts'
import { shapeOf } from './body-shape.ts'
import { readObject } from './body.ts'
import { type ApiResponse, ok } from './exchange.ts'
import { parseWriteOptions } from './options.ts'
import type { ResourceRequest } from './resource-request.ts'
import { type ResourceHandler, specialKey } from './resources.ts'

export interface ReviewParts {
  readonly authenticator: Authenticator
  readonly authorizer: RbacAuthorizer
  readonly tokens: ServiceAccountTokens
  readonly lookup: ServiceAccountLookup
}

const AUTHENTICATION = 'authentication.k8s.io'
const AUTHORIZATION = 'authorization.k8s.io'
const TOKEN_REQUEST = { group: AUTHENTICATION, version: 'v1', kind: 'TokenRequest' }

/** Endpoints that answer instead of storing: who am I, may I, and tokens. */
export function reviewHandlers({ authenticator, authorizer, tokens, lookup }: ReviewParts): [string, ResourceHandler][] {
  return [
    [specialKey(AUTHENTICATION, 'tokenreviews', ''), async (call) => ok(evaluateTokenReview(await reviewed(call), authenticator), 201)],
    [specialKey(AUTHENTICATION, 'selfsubjectreviews', ''), async (call) => ok(evaluateSelfSubjectReview(await reviewed(call), call.user), 201)],
    [specialKey(AUTHORIZATION, 'subjectaccessreviews', ''), async (call) => ok(evaluateSubjectAccessReview(await reviewed(call), authorizer), 201)],
    [specialKey(AUTHORIZATION, 'selfsubjectaccessreviews', ''), async (call) => ok(evaluateSelfSubjectAccessReview(await reviewed(call), call.user, authorizer), 201)],
    [specialKey(AUTHORIZATION, 'localsubjectaccessreviews', ''), async (call) => ok(evaluateLocalSubjectAccessReview(await reviewed(call), call.info.namespace, authorizer), 201)],
    [specialKey(AUTHORIZATION, 'selfsubjectrulesreviews', ''), async (call) => ok(evaluateSelfSubjectRulesReview(await reviewed(call), call.user, authorizer), 201)],
    [specialKey('', 'serviceaccounts', 'token'), (call) => issueToken(call, tokens, lookup)],
  ]
}

const reviewed = (call: ResourceRequest): ReturnType<typeof readObject> =>
  readObject(call, parseWriteOptions(call.request.query, call.request.header('user-agent'), 'CreateOptions'))

async function issueToken(call: ResourceRequest, tokens: ServiceAccountTokens, lookup: ServiceAccountLookup): Promise<ApiResponse> {
  const { info, type, services } = call
  const account = services.catalog.store(type).get(storageKey(type, info.namespace, info.name))?.object
  if (account === undefined) throw notFound(subjectOf(type, info.name))
  const options = parseWriteOptions(call.request.query, call.request.header('user-agent'), 'CreateOptions')
  const request = await readObject({ ...call, type: shapeOf(type, TOKEN_REQUEST) }, options)
  const { object, warnings } = evaluateTokenRequest(request, {
    tokens,
    serviceAccount: { namespace: info.namespace, name: info.name, uid: account.metadata.uid ?? '' },
    boundObject: lookup.boundObject.bind(lookup),
  })
  for (const warning of warnings) call.warn(warning)
  return ok(object, 201)
}
