import { badRequest, goQuote, messageOf } from '@weft/api'
import type { AdmissionRequest } from '../admission.ts'
import type { Versioned } from '../matching/versioned-objects.ts'
import { annotate, warn } from '../warn.ts'
import type { Webhook } from './configurations.ts'
import { endpointOf } from './endpoint.ts'
import type { WebhookClient } from './http-client.ts'
import { HttpFailure } from './http-failure.ts'
import { type AdmissionAnswer, type ExpectedAnswer, readAnswer, reviewBody, reviewVersionOf } from './review.ts'
import { rejection, WebhookCallError } from './rejection.ts'
import type { ServiceResolver } from './service-resolver.ts'

export interface CallParts {
  readonly client: WebhookClient
  readonly resolve: ServiceResolver
  readonly newUid: () => string
}

const HARMLESS = new Set<string | undefined>(['None', 'NoneOnDryRun'])

/**
 * Asks one webhook about one request. Answers once it allows; throws a StatusError when it refuses, WebhookCallError
 * when it could not be asked properly. Warnings and audit annotations are passed on either way.
 */
export async function callWebhook(
  parts: CallParts,
  webhook: Webhook,
  request: AdmissionRequest,
  asked: { readonly versioned: Versioned; readonly mutating: boolean },
): Promise<AdmissionAnswer> {
  if (request.dryRun && !HARMLESS.has(webhook.sideEffects))
    throw badRequest(`admission webhook ${goQuote(webhook.name)} does not support dry run`)
  const version = reviewVersionOf(webhook.reviewVersions)
  if (version === undefined)
    throw new WebhookCallError(
      webhook.name,
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    )
  const expected = { version, uid: parts.newUid(), mutating: asked.mutating }
  const answer = await ask(parts, webhook, reviewBody(version, expected.uid, request, asked.versioned), expected)
  for (const [key, value] of Object.entries(answer.auditAnnotations)) annotate(request, `${webhook.name}/${key}`, String(value))
  for (const text of answer.warnings) warn(request, text)
  if (!answer.allowed) throw rejection(webhook.name, answer.status)
  return answer
}

async function ask({ client, resolve }: CallParts, webhook: Webhook, body: string, expected: ExpectedAnswer): Promise<AdmissionAnswer> {
  const failed = (why: string, cause: unknown): WebhookCallError => new WebhookCallError(webhook.name, why, { cause })
  let endpoint
  try {
    endpoint = endpointOf(webhook.clientConfig, webhook.trust, resolve)
  } catch (error) {
    throw failed(`failed to call webhook: ${messageOf(error)}`, error)
  }
  let value
  try {
    value = await client.post(endpoint, body, webhook.timeoutSeconds)
  } catch (error) {
    if (error instanceof HttpFailure) throw failed(`failed to call webhook: ${error.message}`, error)
    throw error
  }
  const answer = readAnswer(value, expected)
  if ('error' in answer) throw failed(`received invalid webhook response: ${answer.error}`, undefined)
  return answer
}
