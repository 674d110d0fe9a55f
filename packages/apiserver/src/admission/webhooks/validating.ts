import { internalError } from '@weft/api'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts'
import { presented } from '../matching/presented.ts'
import { type Versioned, VersionedObjects } from '../matching/versioned-objects.ts'
import { annotate } from '../warn.ts'
import { callWebhook } from './call-webhook.ts'
import type { Webhook } from './configurations.ts'
import type { WebhookParts } from './parts.ts'
import { WebhookCallError } from './rejection.ts'
import { type Candidate, candidatesFor, conditionsHold } from './select-webhooks.ts'

/** Asks ValidatingWebhookConfigurations, all at once; every one of them must agree. */
export function validatingWebhooks(parts: WebhookParts): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionWebhook',
    validate(request) {
      const candidates = candidatesFor(parts.webhooks.get(), request, parts.world)
      if (candidates.length === 0 || !parts.enabled()) return undefined
      return dispatch(parts, candidates, presented(request))
    },
  }
}

async function dispatch(parts: WebhookParts, candidates: readonly Candidate[], request: AdmissionRequest): Promise<void> {
  const versions = new VersionedObjects(request)
  const calls: (readonly [Webhook, Versioned])[] = []
  // Nobody is asked before it is clear who is to be: a condition that fails must not leave half of them called.
  for (const { webhook, type } of candidates) {
    if (!webhook.criteria.selects(request, parts.world)) continue
    const converted = versions.in(type)
    const versioned = converted instanceof Promise ? await converted : converted
    if (conditionsHold(webhook, request, versioned, parts.authorizer())) calls.push([webhook, versioned])
  }
  const results = await Promise.allSettled(
    calls.map(([webhook, versioned], index) => agrees(parts, webhook, request, { versioned, index })),
  )
  // The first in order, not the first to answer: the same request gets the same message every time.
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function agrees(
  parts: WebhookParts,
  webhook: Webhook,
  request: AdmissionRequest,
  { versioned, index }: { readonly versioned: Versioned; readonly index: number },
): Promise<void> {
  try {
    await callWebhook(parts, webhook, request, { versioned, mutating: false })
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error
    if (!webhook.ignoresFailure) throw internalError(error)
    annotate(request, `failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`, webhook.name)
    parts.onIgnored(`validating webhook ${webhook.name}`, error)
  }
}
