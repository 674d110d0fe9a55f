import { forbidden } from '@weft/api'
import type { Authorizer } from '../../auth/index.ts'
import type { ResourceType } from '../../registry/index.ts'
import type { AdmissionRequest } from '../admission.ts'
import { expressionAuthorizer, requestResource } from '../expressions/authorizer.ts'
import { requestFields } from '../expressions/request-fields.ts'
import type { MatchWorld } from '../matching/criteria.ts'
import { isAdmissionConfiguration } from '../matching/rules.ts'
import type { Versioned } from '../matching/versioned-objects.ts'
import type { Webhook } from './configurations.ts'

/** A webhook whose rules cover the request, and the version of the resource in which they do. */
export interface Candidate {
  readonly webhook: Webhook
  readonly type: ResourceType
}

const NONE: readonly Candidate[] = []

/** By rules alone, which hold however others change the object. */
export function candidatesFor(webhooks: readonly Webhook[], request: AdmissionRequest, world: MatchWorld): readonly Candidate[] {
  if (webhooks.length === 0 || isAdmissionConfiguration(request.type)) return NONE
  let candidates: Candidate[] | undefined
  for (const webhook of webhooks) {
    const type = webhook.criteria.resource(request, world)
    if (type !== undefined) (candidates ??= []).push({ webhook, type })
  }
  return candidates ?? NONE
}

/** Do its match conditions hold? Throws 403 when they fail and its policy is to fail. */
export function conditionsHold({ conditions }: Webhook, request: AdmissionRequest, versioned: Versioned, authorizer: Authorizer): boolean {
  if (conditions === undefined) return true
  const evaluation = conditions.scope.evaluation({
    object: versioned.object,
    oldObject: versioned.oldObject,
    request: requestFields(request, versioned.type),
    authorizer: expressionAuthorizer(authorizer, request.user),
    requestResource: requestResource(request),
  })
  const { matches, error } = conditions.expressions.evaluate(evaluation)
  if (error === undefined) return matches
  throw forbidden({ group: request.type.group, resource: request.type.plural, name: request.name }, error)
}
