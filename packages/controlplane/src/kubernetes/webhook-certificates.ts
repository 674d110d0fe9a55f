import { hasReason, isOfWeft, PART_OF_WEFT } from '@weft/api'
import { renewServingPair, type ServingPair } from '@weft/apiserver'
import { type Client, type Clock, type Secret, secretKind } from '@weft/client'
import { ForeignObjectsError, obstacleOf } from '../foreign-objects.ts'

export const CERTIFICATE_SECRET = 'weft-webhook-certificate'

/** The secret, without what is in it. */
export const certificateSecret = (namespace: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace, name: CERTIFICATE_SECRET, labels: PART_OF_WEFT },
  type: 'kubernetes.io/tls',
})

export interface WebhookCertificateOptions {
  readonly namespace: string
  /** Names and addresses under which the API server reaches the webhook. */
  readonly hosts: readonly string[]
  readonly clock: Pick<Clock, 'now'>
}

/**
 * The certificate of the webhook, kept in a Secret that all replicas share: made by whoever comes first, renewed by
 * whoever notices first that it is time. Called again from time to time; idempotent, and safe to call by many at once.
 */
export async function ensureWebhookCertificate(client: Client, options: WebhookCertificateOptions): Promise<ServingPair> {
  const { namespace, hosts, clock } = options
  const ref = { namespace, name: CERTIFICATE_SECRET }
  for (;;) {
    const secret = await client.find(secretKind, ref)
    if (secret !== undefined && !isOfWeft(secret)) throw new ForeignObjectsError([obstacleOf(secret)])
    const before = filesOf(secret)
    const pair = renewServingPair(before, { hosts, clock })
    if (pair === before) return pair
    try {
      await write(client, ref, secret, pair)
      return pair
    } catch (error) {
      // Another replica was quicker: theirs is as good as ours.
      if (!hasReason(error, 'Conflict') && !hasReason(error, 'AlreadyExists')) throw error
    }
  }
}

function filesOf(secret: Secret | undefined): Partial<ServingPair> {
  const data = secret?.data ?? {}
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]))
}

function write(client: Client, ref: { readonly namespace: string; readonly name: string }, before: Secret | undefined, pair: ServingPair) {
  const data = Object.fromEntries(Object.entries(pair).map(([name, pem]) => [name, Buffer.from(pem as string).toString('base64')]))
  if (before !== undefined) return client.update<Secret>({ ...before, data })
  return client.create<Secret>({ ...certificateSecret(ref.namespace), data })
}
