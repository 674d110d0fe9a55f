import { getOwn, goQuote, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '@weft/api'
import type { AdmissionRequest } from '../admission.ts'
import { requestFields } from '../expressions/request-fields.ts'
import type { Versioned } from '../matching/versioned-objects.ts'

const GROUP = 'admission.k8s.io'
const KIND = 'AdmissionReview'

export type ReviewVersion = 'v1' | 'v1beta1'

/** The first version that both sides know, in the webhook's order of preference. */
export const reviewVersionOf = (accepted: readonly string[]): ReviewVersion | undefined =>
  accepted.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1')

/** The body of an AdmissionReview request. */
export function reviewBody(version: ReviewVersion, uid: string, request: AdmissionRequest, versioned: Versioned): string {
  const { options, dryRun, ...fields } = requestFields(request, versioned.type)
  return stringifyJson({
    kind: KIND,
    apiVersion: `${GROUP}/${version}`,
    request: { uid, ...fields, object: versioned.object ?? null, oldObject: versioned.oldObject ?? null, dryRun, options },
  })
}

/** What a webhook said. */
export interface AdmissionAnswer {
  readonly allowed: boolean
  /** Its `status`, when it refuses. */
  readonly status: JsonObject
  /** JSON text of a JSON patch; empty when there is none. */
  readonly patch: string
  /** Only `JSONPatch` is known. */
  readonly patchType: string
  readonly warnings: readonly string[]
  readonly auditAnnotations: JsonObject
}

export interface ExpectedAnswer {
  readonly version: ReviewVersion
  readonly uid: string
  /** Only mutating webhooks may patch. */
  readonly mutating: boolean
}

/** The answer, or what is wrong with it. v1 is held to its word; v1beta1 never was. */
export function readAnswer(value: JsonValue, { version, uid, mutating }: ExpectedAnswer): AdmissionAnswer | { readonly error: string } {
  if (!isJsonObject(value)) return { error: 'webhook response is not an object' }
  const response = value['response']
  if (!isJsonObject(response)) return { error: 'webhook response was absent' }
  const strict = version === 'v1'
  if (strict && response['uid'] !== uid) return { error: `expected response.uid=${goQuote(uid)}, got ${goQuote(text(response, 'uid'))}` }
  const kind = gvkText(value)
  if (strict && kind !== `${GROUP}/v1, Kind=${KIND}`)
    return { error: `expected webhook response of ${GROUP}/v1, Kind=${KIND}, got ${kind}` }
  const patch = text(response, 'patch')
  const problem = strict ? patchProblem(patch, getOwn(response, 'patchType'), mutating) : undefined
  if (problem !== undefined) return { error: problem }
  const { status, auditAnnotations, warnings } = response
  return {
    allowed: response['allowed'] === true,
    status: isJsonObject(status) ? status : {},
    patch: mutating ? Buffer.from(patch, 'base64').toString('utf8') : '',
    patchType: strict ? text(response, 'patchType') : 'JSONPatch',
    warnings: Array.isArray(warnings) ? (warnings as readonly unknown[]).filter((each): each is string => typeof each === 'string') : [],
    auditAnnotations: isJsonObject(auditAnnotations) ? auditAnnotations : {},
  }
}

function patchProblem(patch: string, patchType: unknown, mutating: boolean): string | undefined {
  const typed = patchType !== undefined && patchType !== null
  if (!mutating) {
    if (patch !== '') return 'validating webhook may not return response.patch'
    return typed ? 'validating webhook may not return response.patchType' : undefined
  }
  if (patch !== '' && !typed) return 'webhook returned response.patch but not response.patchType'
  if (patch === '' && typed) return 'webhook returned response.patchType but not response.patch'
  return typed && patchType === '' ? 'webhook returned invalid response.patchType of ""' : undefined
}

function gvkText(value: JsonObject): string {
  const [group = '', version = ''] = text(value, 'apiVersion').includes('/')
    ? text(value, 'apiVersion').split('/', 2)
    : ['', text(value, 'apiVersion')]
  return `${group}/${version}, Kind=${text(value, 'kind')}`
}

function text(value: JsonObject, key: string): string {
  const found = getOwn(value, key)
  return typeof found === 'string' ? found : ''
}
