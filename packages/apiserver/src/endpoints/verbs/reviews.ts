import { type KubeObject, notFound } from '@weft/api'
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
} from '../../auth/index.ts'
import { storageKey, subjectOf, track } from '../../registry/index.ts'
import { shapeOf } from '../body/body-shape.ts'
import { readObject } from '../body/body.ts'
import { type ApiResponse, ok } from '../exchange.ts'
import { inNamespace } from './create.ts'
import { parseWriteOptions, type WriteOptions } from '../options.ts'
import { type ResourceRequest, writeContext } from '../resource-request.ts'
import { type ResourceHandler, specialKey } from '../resources.ts'

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
    [
      specialKey(AUTHENTICATION, 'selfsubjectreviews', ''),
      async (call) => ok(evaluateSelfSubjectReview(await reviewed(call), call.user), 201),
    ],
    [
      specialKey(AUTHORIZATION, 'subjectaccessreviews', ''),
      async (call) => ok(evaluateSubjectAccessReview(await reviewed(call), authorizer), 201),
    ],
    [
      specialKey(AUTHORIZATION, 'selfsubjectaccessreviews', ''),
      async (call) => ok(evaluateSelfSubjectAccessReview(await reviewed(call), call.user, authorizer), 201),
    ],
    [
      specialKey(AUTHORIZATION, 'localsubjectaccessreviews', ''),
      async (call) => ok(evaluateLocalSubjectAccessReview(await reviewed(call), call.info.namespace, authorizer), 201),
    ],
    [
      specialKey(AUTHORIZATION, 'selfsubjectrulesreviews', ''),
      async (call) => ok(evaluateSelfSubjectRulesReview(await reviewed(call), call.user, authorizer), 201),
    ],
    [specialKey('', 'serviceaccounts', 'token'), (call) => issueToken(call, tokens, lookup)],
  ]
}

/** The posted review, with the owner of what it says recorded like everywhere. */
async function reviewed(call: ResourceRequest): Promise<KubeObject> {
  const options = parseWriteOptions(call.request.query, call.request.header('user-agent'), 'CreateOptions')
  return tracked(call, inNamespace(call, await readObject(call, options)), options)
}

const tracked = (call: ResourceRequest, object: KubeObject, options: WriteOptions): KubeObject =>
  track(call.services, writeContext(call, options, 'CreateOptions'), object, call.type.zero)

async function issueToken(call: ResourceRequest, tokens: ServiceAccountTokens, lookup: ServiceAccountLookup): Promise<ApiResponse> {
  const { info, type, services } = call
  const account = services.catalog.store(type).get(storageKey(type, info.namespace, info.name))?.object
  if (account === undefined) throw notFound(subjectOf(type, info.name))
  const options = parseWriteOptions(call.request.query, call.request.header('user-agent'), 'CreateOptions')
  const shaped = { ...call, type: shapeOf(type, TOKEN_REQUEST) }
  const fill = type.subresources.find(({ name }) => name === 'token')?.strategy
  const given = inNamespace(call, await readObject(shaped, options))
  const request = tracked(shaped, fill?.default(given) ?? given, options)
  const { object, warnings } = evaluateTokenRequest(request, {
    tokens,
    serviceAccount: { namespace: info.namespace, name: info.name, uid: account.metadata.uid ?? '' },
    boundObject: lookup.boundObject.bind(lookup),
  })
  for (const warning of warnings) call.warn(warning)
  return ok(object, 201)
}
