import { deepEqual, internalError, type KubeObject, parseJson, StatusError } from '@weft/api'
import { quote } from '../../auth/quote.ts'
import { jsonPatch } from '../../patch/index.ts'
import type { AdmissionPlugin, AdmissionRequest, MutationRound } from '../admission.ts'
import { convertObject, convertVersioned, type Versioned } from '../matching/versioned-objects.ts'
import { annotate } from '../tell.ts'
import { callWebhook } from './call-webhook.ts'
import type { Webhook } from './configurations.ts'
import type { WebhookParts } from './parts.ts'
import { Reinvocation } from './reinvocation.ts'
import { WebhookCallError } from './rejection.ts'
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

async function dispatch(parts: WebhookParts, candidates: readonly Candidate[], request: AdmissionRequest, round: MutationRound): Promise<KubeObject | undefined> {
  const reinvocation = Reinvocation.in(round, NAME)
  if (round.again) reinvocation.observe(request.object)
  let current: Versioned = request
  for (const [index, { webhook, type }] of candidates.entries()) {
    if (round.again && !reinvocation.wants(webhook)) continue
    const seen = withObject(request, current.object)
    if (!webhook.criteria.selects(seen, parts.world)) continue
    const converted = convertVersioned(current, type)
    const versioned = converted instanceof Promise ? await converted : converted
    if (!conditionsHold(webhook, seen, versioned, parts.authorizer())) continue
    current = versioned
    const patched = await patchedBy(parts, webhook, seen, { versioned, key: `round_${round.again ? 1 : 0}_index_${index}` })
    const changed = patched !== versioned.object
    if (changed) {
      current = { ...versioned, ...(patched && { object: patched }) }
      reinvocation.changed()
      round.repeat()
    }
    if (webhook.reinvocable) reinvocation.invoked(webhook)
  }
  const object = current.object === undefined ? undefined : await convertObject(current.object, current.type, request.type)
  // A conversion there and back is no change.
  const result = object !== undefined && request.object !== undefined && deepEqual(object, request.object) ? request.object : object
  reinvocation.remember(result)
  return result
}

/** The object as this webhook leaves it; the same reference when it changes nothing or its failure is to be ignored. */
async function patchedBy(
  parts: WebhookParts,
  webhook: Webhook,
  request: AdmissionRequest,
  { versioned, key }: { readonly versioned: Versioned; readonly key: string },
): Promise<KubeObject | undefined> {
  try {
    const { patch } = await callWebhook(parts, webhook, request, { versioned, mutating: true })
    return applyPatch(webhook, patch, versioned)
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error
    if (!webhook.ignoresFailure) throw internalError(error)
    annotate(request, `failed-open.mutation.webhook.admission.k8s.io/${key}`, webhook.name)
    parts.onIgnored(`mutating webhook ${webhook.name}`, error)
    return versioned.object
  }
}

function applyPatch(webhook: Webhook, patch: string, { type, object }: Versioned): KubeObject | undefined {
  const operations = decodePatch(webhook, patch)
  if (operations.length === 0) return object
  if (object === undefined)
    throw internalError(new Error(`admission webhook ${quote(webhook.name)} attempted to modify the object, which is not supported for this operation`))
  try {
    const patched = jsonPatch(object, operations) as KubeObject
    if (patched.apiVersion !== object.apiVersion || patched.kind !== object.kind) throw new Error('apiVersion and kind may not be changed')
    const decoded = type.decode(patched)
    return deepEqual(decoded, object) ? object : decoded
  } catch (error) {
    throw internalError(new Error(`cannot apply the patch of admission webhook ${quote(webhook.name)}: ${reasonOf(error)}`, { cause: error }))
  }
}

function decodePatch(webhook: Webhook, patch: string): readonly unknown[] {
  if (patch === '') return []
  try {
    const { value } = parseJson(patch)
    if (Array.isArray(value)) return value as readonly unknown[]
    throw new Error('a JSON patch is a list of operations')
  } catch (error) {
    throw new WebhookCallError(webhook.name, `received undecodable patch in webhook response: ${(error as Error).message}`, { cause: error })
  }
}

/** Clients who send patches are not told why theirs does not apply; an operator who reads this needs to know. */
function reasonOf(error: unknown): string {
  const cause = error instanceof StatusError && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

const withObject = (request: AdmissionRequest, object: KubeObject | undefined): AdmissionRequest =>
  object === undefined || object === request.object ? request : { ...request, object }
