import type { JsonValue } from '@weft/api'
import { describe, expect, it } from 'vitest'
import type { ResourceType } from '../../registry/index.ts'
import type { AdmissionRequest } from '../admission.ts'
import { MatchCriteria } from '../matching/criteria.ts'
import { callWebhook } from './call-webhook.ts'
import type { Webhook } from './configurations.ts'
import { trustOf } from './endpoint.ts'
import { HttpFailure } from './http-failure.ts'

const type = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  subresources: [],
} as unknown as ResourceType

const webhook: Webhook = {
  id: 'c/0',
  name: 'a.example.org',
  criteria: new MatchCriteria({}),
  conditions: undefined,
  clientConfig: { url: 'https://hooks.example.org/admit' },
  trust: trustOf(undefined),
  ignoresFailure: false,
  timeoutSeconds: 7,
  sideEffects: 'None',
  reviewVersions: ['v1'],
  reinvocable: false,
}

function ask(
  given: Partial<Webhook>,
  more: Partial<AdmissionRequest>,
  answer: () => Promise<JsonValue>,
): { told: [string, string][]; done: Promise<unknown> } {
  const told: [string, string][] = []
  const request: AdmissionRequest = {
    operation: 'CREATE',
    type,
    subresource: '',
    namespace: 'a',
    name: 'x',
    user: { username: 'u', groups: [] },
    dryRun: false,
    options: {},
    warn: (text) => told.push(['warning', text]),
    annotate: (key, value) => told.push([key, value]),
    ...more,
  }
  const parts = {
    client: { post: answer, close: () => Promise.resolve() },
    resolve: () => ({ host: 'h', port: 1 }),
    newUid: () => 'uid-1',
  }
  return { told, done: callWebhook(parts, { ...webhook, ...given }, request, { versioned: request, mutating: false }) }
}

const review = (response: object): Promise<JsonValue> =>
  Promise.resolve({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: 'uid-1', ...response } } as JsonValue)

describe('a call', () => {
  it.each([
    { sideEffects: 'None', refused: false },
    { sideEffects: 'NoneOnDryRun', refused: false },
    { sideEffects: 'Some', refused: true },
    { sideEffects: 'Unknown', refused: true },
    { sideEffects: undefined, refused: true },
  ])('in a dry run with side effects $sideEffects is refused: $refused', async ({ sideEffects, refused }) => {
    const { done } = ask({ sideEffects }, { dryRun: true }, () => review({ allowed: true }))
    if (!refused) await expect(done).resolves.toMatchObject({ allowed: true })
    else await expect(done).rejects.toMatchObject({ code: 400, message: 'admission webhook "a.example.org" does not support dry run' })
    await ask({ sideEffects }, {}, () => review({ allowed: true })).done
  })

  it('passes on warnings and audit annotations, also of a refusal', async () => {
    const { told, done } = ask({}, {}, () => review({ allowed: false, warnings: ['careful', '', 7], auditAnnotations: { seen: 'yes' } }))
    await expect(done).rejects.toMatchObject({ code: 400 })
    expect(told).toEqual([
      ['a.example.org/seen', 'yes'],
      ['warning', 'careful'],
    ])
  })

  it.each<{ reason: string; given: Partial<Webhook>; answer: () => Promise<JsonValue>; message: string }>([
    {
      reason: 'no version in common',
      given: { reviewVersions: ['v2'] },
      answer: () => review({}),
      message: 'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    },
    {
      reason: 'no connection',
      given: {},
      answer: () => Promise.reject(new HttpFailure('EOF')),
      message: 'failed to call webhook: EOF',
    },
    {
      reason: 'another answer',
      given: {},
      answer: () => Promise.resolve({ apiVersion: 'v1', kind: 'Status', response: { uid: 'uid-1' } }),
      message:
        'received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /v1, Kind=Status',
    },
  ])('fails by itself, not the request: $reason', async ({ given, answer, message }) => {
    await expect(ask(given, {}, answer).done).rejects.toMatchObject({
      code: 'WebhookCallError',
      message: `failed calling webhook "a.example.org": ${message}`,
    })
  })
})
