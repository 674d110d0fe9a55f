import { deepEqual, goQuote, internalError, type KubeObject, messageOf, parseJson, StatusError } from '@weft/api'
import { jsonPatch } from '../../patch/index.ts'
import type { AdmissionPlugin, AdmissionRequest, MutationRound } from '../admission.ts'
import { presented } from '../matching/presented.ts'
import { checkedScale, scaleMapping, withScale } from '../../registry/index.ts'
import { convertObject, type Versioned, versionedIn } from '../matching/versioned-objects.ts'
import { Reinvocation } from '../reinvocation.ts'
import { annotate } from '../warn.ts'
import { callWebhook } from './call-webhook.ts'
import type { Webhook } from './configurations.ts'
import { withKeptOwners } from './kept-owners.ts'
import type { WebhookParts } from './parts.ts'

import { WebhookCallError } from './rejection.ts'
import type { AdmissionAnswer } from './review.ts'
import { type Candidate, candidatesFor, conditionsHold } from './select-webhooks.ts'

const NAME = 'MutatingAdmissionWebhook'

/** Asks MutatingWebhookConfigurations, one after the other: each sees what those before it made of the object. */
export function mutatingWebhooks(parts: WebhookParts): AdmissionPlugin {
  return {
    name: NAME,
    mutate(request, round) {
      const candidates = candidatesFor(parts.webhooks.get(), request, parts.world)
      if (candidates.length === 0 || !parts.enabled()) return request.object
      return dispatch(parts, candidates, request, round)
    },
  }
}

async function dispatch(
  parts: WebhookParts,
  candidates: readonly Candidate[],
  request: AdmissionRequest,
  round: MutationRound,
): Promise<KubeObject | undefined> {
  const reinvocation = Reinvocation.in(round, NAME)
  if (round.again) reinvocation.observe(request.object)
  const shown = presented(request)
  let current: Versioned = shown
  for (const [index, { webhook, type }] of candidates.entries()) {
    if (round.again && !reinvocation.wants(webhook.id)) continue
    const seen = withObject(shown, current.object)
    if (!webhook.criteria.selects(seen, parts.world)) continue
    const converted = versionedIn(current, request, type)
    const versioned = converted instanceof Promise ? await converted : converted
    if (!conditionsHold(webhook, seen, versioned, parts.authorizer())) continue
    const patched = await patchedBy(parts, webhook, seen, { versioned, key: `round_${round.again ? 1 : 0}_index_${index}` })
    current = patched === versioned.object || patched === undefined ? versioned : { ...versioned, object: patched }
    if (current !== versioned) {
      reinvocation.changed()
      round.repeat()
    }
    if (webhook.reinvocable) reinvocation.invoked(webhook.id)
  }
  const result = await resultOf(request, shown, current)
  reinvocation.remember(result)
  return result
}

/** What came out, in the version of the request. A conversion there and back is no change. */
async function resultOf(request: AdmissionRequest, shown: AdmissionRequest, { type, object }: Versioned): Promise<KubeObject | undefined> {
  if (object === undefined || request.object === undefined || object === shown.object) return request.object
  const mapping = scaleMapping(request.type, request.subresource)
  if (mapping !== undefined) return withScale(request.object, object, mapping)
  const converted = await convertObject(object, type, request.type)
  return deepEqual(converted, request.object) ? request.object : withKeptOwners(request, converted)
}

/** The object as this webhook leaves it; the same reference when it changes nothing or its failure is to be ignored. */
async function patchedBy(
  parts: WebhookParts,
  webhook: Webhook,
  request: AdmissionRequest,
  { versioned, key }: { readonly versioned: Versioned; readonly key: string },
): Promise<KubeObject | undefined> {
  try {
    const answer = await callWebhook(parts, webhook, request, { versioned, mutating: true })
    return applyPatch(webhook, answer, versioned, request.subresource)
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error
    if (!webhook.ignoresFailure) throw internalError(error)
    annotate(request, `failed-open.mutation.webhook.admission.k8s.io/${key}`, webhook.name)
    parts.onIgnored(`mutating webhook ${webhook.name}`, error)
    return versioned.object
  }
}

function applyPatch(
  webhook: Webhook,
  { patch, patchType }: AdmissionAnswer,
  { type, object }: Versioned,
  subresource: string,
): KubeObject | undefined {
  const operations = decodePatch(webhook, patch)
  if (operations.length === 0) return object
  if (object === undefined)
    throw internalError(
      new Error(`admission webhook ${goQuote(webhook.name)} attempted to modify the object, which is not supported for this operation`),
    )
  if (patchType !== 'JSONPatch') throw new WebhookCallError(webhook.name, `unsupported patch type ${goQuote(patchType)}`)
  try {
    const patched = jsonPatch(object, operations) as KubeObject
    if (patched.apiVersion !== object.apiVersion || patched.kind !== object.kind) throw new Error('apiVersion and kind may not be changed')
    const decoded = scaleMapping(type, subresource) === undefined ? type.decode(patched) : checkedScale(patched)
    return deepEqual(decoded, object) ? object : decoded
  } catch (error) {
    throw internalError(
      new Error(`cannot apply the patch of admission webhook ${goQuote(webhook.name)}: ${reasonOf(error)}`, { cause: error }),
    )
  }
}

function decodePatch(webhook: Webhook, patch: string): readonly unknown[] {
  if (patch === '') return []
  try {
    const { value } = parseJson(patch)
    if (Array.isArray(value)) return value as readonly unknown[]
    throw new Error('a JSON patch is a list of operations')
  } catch (error) {
    throw new WebhookCallError(webhook.name, `received undecodable patch in webhook response: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/** Clients who send patches are not told why theirs does not apply; an operator who reads this needs to know. */
function reasonOf(error: unknown): string {
  const cause = error instanceof StatusError && error.cause instanceof Error ? error.cause : error
  return messageOf(cause)
}

const withObject = (request: AdmissionRequest, object: KubeObject | undefined): AdmissionRequest =>
  object === undefined || object === request.object ? request : { ...request, object }
