import { randomUUID } from 'node:crypto'
import {
  getOwn,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  messageOf,
  parseGroupVersion,
  StatusError,
  stringifyJson,
} from '@weft/api'
import type { CustomResourceDefinition } from '@weft/schema'
import type { ConversionWebhook } from '../registry/index.ts'
import { identityChange, restoreMetadata } from './converted-metadata.ts'
import { endpointOf, trustOf } from './webhooks/endpoint.ts'
import type { WebhookClient } from './webhooks/http-client.ts'
import { HttpFailure } from './webhooks/http-failure.ts'
import type { ServiceResolver } from './webhooks/service-resolver.ts'

const GROUP = 'apiextensions.k8s.io'
const KIND = 'ConversionReview'
const TIMEOUT_SECONDS = 30
/** How much is sent at once: answers may be larger than questions, and they are limited to three times this. */
const MAX_REQUEST_BYTES = 1024 * 1024

export interface ConversionParts {
  readonly client: WebhookClient
  readonly resolve: ServiceResolver
  readonly newUid?: () => string
}

/**
 * Asks a CustomResourceDefinition's webhook to convert objects. A long list travels in several requests, one after the
 * other. What comes back is checked: an object that changed its identity would be stored under the wrong name. Throws
 * StatusError (500), worded as kube-apiserver words it.
 */
export function conversionWebhook({ client, resolve, newUid = randomUUID }: ConversionParts): ConversionWebhook {
  return async (crd, objects, desiredApiVersion) => {
    const [first] = objects
    if (first === undefined) return []
    const about = `conversion webhook for ${gvkText(first)}`
    const version = reviewVersion(crd)
    if (version === undefined) throw failed('no supported conversion review versions')
    const converted: KubeObject[] = []
    for (const batch of batchesOf(objects)) {
      const uid = newUid()
      const endpoint = endpointFor(crd, resolve, about)
      const answer = await client
        .post(endpoint, reviewBody(version, uid, desiredApiVersion, batch.texts), TIMEOUT_SECONDS)
        .catch((error: unknown) => {
          throw error instanceof HttpFailure ? failed(`${about} failed: ${error.message}`, error) : error
        })
      const answers = convertedObjects(answer, { version, uid, about })
      if (answers.length !== batch.objects.length)
        throw failed(`${about} returned ${answers.length} objects, expected ${batch.objects.length}`)
      batch.objects.forEach((original, index) =>
        converted.push(checked(original, answers[index], { about, desiredApiVersion, index, count: answers.length })),
      )
    }
    return converted
  }
}

const failed = (message: string, cause?: unknown): StatusError =>
  new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }, { cause })

const reviewVersion = (crd: CustomResourceDefinition): string | undefined =>
  (crd.spec.conversion?.webhook?.conversionReviewVersions ?? []).find((version) => version === 'v1' || version === 'v1beta1')

function endpointFor(crd: CustomResourceDefinition, resolve: ServiceResolver, about: string): ReturnType<typeof endpointOf> {
  const config = crd.spec.conversion?.webhook?.clientConfig ?? {}
  try {
    return endpointOf(config, trustOf(config.caBundle), resolve)
  } catch (error) {
    throw failed(`${about} failed: ${messageOf(error)}`, error)
  }
}

interface Batch {
  readonly objects: KubeObject[]
  readonly texts: string[]
}

function* batchesOf(objects: readonly KubeObject[]): Iterable<Batch> {
  let batch: Batch = { objects: [], texts: [] }
  let size = 0
  for (const object of objects) {
    const text = stringifyJson(object)
    if (batch.objects.length > 0 && size + text.length > MAX_REQUEST_BYTES) {
      yield batch
      batch = { objects: [], texts: [] }
      size = 0
    }
    batch.objects.push(object)
    batch.texts.push(text)
    size += text.length
  }
  yield batch
}

function reviewBody(version: string, uid: string, desiredAPIVersion: string, objects: readonly string[]): string {
  const head = JSON.stringify({ kind: KIND, apiVersion: `${GROUP}/${version}`, request: { uid, desiredAPIVersion } })
  // The objects are JSON already: they take the place of the two braces that close request and review.
  return `${head.slice(0, -2)},"objects":[${objects.join(',')}]}}`
}

function convertedObjects(
  value: JsonValue,
  { version, uid, about }: { version: string; uid: string; about: string },
): readonly JsonValue[] {
  const wrong = (why: string): StatusError => failed(`${about} failed: ${why}`)
  const review = isJsonObject(value) ? value : {}
  const strict = version === 'v1'
  const kind = gvkText({ apiVersion: text(review, 'apiVersion'), kind: text(review, 'kind') })
  if (strict && kind !== `${GROUP}/v1, Kind=${KIND}`) throw wrong(`expected webhook response of ${GROUP}/v1, Kind=${KIND}, got ${kind}`)
  const { response } = review
  if (!isJsonObject(response)) throw wrong('no response provided')
  if (strict && response['uid'] !== uid) throw wrong(`expected response.uid=${goQuote(uid)}, got ${goQuote(text(response, 'uid'))}`)
  const result = isJsonObject(response['result']) ? response['result'] : {}
  if (result['status'] !== 'Success')
    throw wrong(text(result, 'message') || `response.result.status was '${text(result, 'status')}', not 'Success'`)
  const objects = response['convertedObjects']
  return Array.isArray(objects) ? (objects as readonly JsonValue[]) : []
}

interface Conversion {
  readonly about: string
  readonly desiredApiVersion: string
  readonly index: number
  /** Among how many; one alone is spoken of without its index. */
  readonly count: number
}

function checked(original: KubeObject, answer: JsonValue | undefined, { about, desiredApiVersion, index, count }: Conversion): KubeObject {
  const alone = count === 1
  const invalid = (why: string): StatusError =>
    failed(`${about} returned invalid ${alone ? '' : 'converted '}object at index ${index}: ${why}`)
  if (!isJsonObject(answer)) throw invalid('it is not an object')
  const apiVersion = text(answer, 'apiVersion')
  if (apiVersion !== desiredApiVersion) throw invalid(`invalid groupVersion (expected ${desiredApiVersion}, received ${apiVersion})`)
  if (answer['kind'] !== original.kind) throw invalid(`invalid kind (expected ${original.kind}, received ${text(answer, 'kind')})`)
  const changed = identityChange(original.metadata, answer['metadata'])
  if (changed !== undefined) throw alone ? failed(`${about} returned invalid object: ${changed}`) : invalid(changed)
  const { metadata, error } = restoreMetadata(original.metadata, answer['metadata'])
  if (error !== undefined) throw failed(`${about} returned invalid metadata${alone ? '' : ` in object at index ${index}`}: ${error}`)
  return { ...answer, metadata } as unknown as KubeObject
}

/** `group/version, Kind=kind`; the core group shows as an empty one. */
function gvkText(object: { readonly apiVersion: string; readonly kind: string }): string {
  const { group, version } = parseGroupVersion(object.apiVersion)
  return `${group}/${version}, Kind=${object.kind}`
}

function text(value: JsonObject, key: string): string {
  const found = getOwn(value, key)
  return typeof found === 'string' ? found : ''
}
