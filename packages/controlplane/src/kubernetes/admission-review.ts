import { invalid, isJsonObject, type Status, type StatusError } from '@weft/api'
import type { ServedKinds } from '@weft/apiserver'
import {
  type AdmissionSubject,
  type Author,
  type Authority,
  type Defined,
  type Existing,
  guard,
  judge,
  lacksRights,
  mayBeInUse,
  refuseInUse,
} from '@weft/plane'
import type { NoteOn } from './note-on.ts'
import type { ReviewRequest } from './review-request.ts'
import { answerTerraformReview, type TerraformReviewSources } from './terraform-review.ts'

export interface ReviewAnswer {
  readonly apiVersion: 'admission.k8s.io/v1'
  readonly kind: 'AdmissionReview'
  readonly response: {
    readonly uid: string
    readonly allowed: boolean
    readonly status?: Status
    readonly warnings?: readonly string[]
    /** A JSON patch, as base64. */
    readonly patch?: string
    readonly patchType?: 'JSONPatch'
  }
}

/** What a review is about: is something wrong with the object, may its author have it so, would something that exists be lost, is it in use; or
 * what does it ask? */
export type Question = 'mistakes' | 'rights' | 'losses' | 'usages' | 'terraform'

export interface ReviewSources {
  readonly kinds: ServedKinds
  readonly authority: Authority
  readonly existing: Existing & Defined
  readonly note: NoteOn
  readonly terraform: TerraformReviewSources
}

/** Undefined: what was sent is no review. */
export async function answerReview(review: unknown, question: Question, sources: ReviewSources): Promise<ReviewAnswer | undefined> {
  const request = isJsonObject(review) ? readRequest(review['request']) : undefined
  if (request === undefined) return undefined
  const { uid, operation, kind, resource, userInfo = {}, subResource = '', object, oldObject } = request
  const subject = {
    operation,
    object: object ?? undefined,
    oldObject: oldObject ?? undefined,
    ...kind,
    resource: resource?.resource ?? '',
    subresource: subResource,
  }
  const author: Author = { ...userInfo, username: userInfo.username ?? '', groups: userInfo.groups ?? [] }
  if (question === 'terraform') return answered(uid, await answerTerraformReview(request, author, sources.terraform))
  const { refusal, warnings } =
    question === 'mistakes'
      ? mistakesOf(subject, sources.kinds)
      : { refusal: (await refusalOf(question, author, { request, subject }, sources))?.status, warnings: [] }
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: {
      uid,
      allowed: refusal === undefined,
      ...(refusal !== undefined && { status: refusal }),
      ...(warnings.length > 0 && { warnings }),
    },
  }
}

function answered(uid: string, found: Awaited<ReturnType<typeof answerTerraformReview>>): ReviewAnswer {
  const response =
    'refusal' in found
      ? { uid, allowed: false, status: found.refusal }
      : {
          uid,
          allowed: true,
          patch: Buffer.from(JSON.stringify([{ op: 'add', path: '/status', value: found.answer }])).toString('base64'),
          patchType: 'JSONPatch' as const,
        }
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }
}

async function refusalOf(
  question: Exclude<Question, 'mistakes' | 'terraform'>,
  author: Author,
  { request, subject }: { readonly request: ReviewRequest; readonly subject: AdmissionSubject & { readonly resource: string } },
  { kinds, authority, existing, note }: ReviewSources,
): Promise<StatusError | undefined> {
  switch (question) {
    case 'rights':
      return lacksRights(author, subject, { kinds, authority })
    case 'losses':
      return guard({ ...subject, plural: subject.resource, username: author.username }, existing)
    case 'usages': {
      const object = subject.oldObject
      if (subject.operation !== 'DELETE' || object === undefined || !mayBeInUse(object)) return undefined
      const { dryRun = false, options } = request
      return refuseInUse(
        { object, author, dryRun, options: options ?? {} },
        { known: (kind) => kinds.objects(kind), objects: (kind) => existing.objects(kind), authority, note },
      )
    }
  }
}

function mistakesOf(
  subject: AdmissionSubject,
  kinds: ServedKinds,
): { readonly refusal: Status | undefined; readonly warnings: readonly string[] } {
  const { errors, warnings } = judge(subject, kinds)
  const { group, kind, object } = subject
  return { refusal: errors.length === 0 ? undefined : invalid({ group, kind, name: object?.metadata.name ?? '' }, errors).status, warnings }
}

function readRequest(value: unknown): ReviewRequest | undefined {
  if (!isJsonObject(value) || typeof value['uid'] !== 'string' || !isJsonObject(value['kind'])) return undefined
  const { object } = value
  if (object !== undefined && object !== null && !isJsonObject(object)) return undefined
  if (isJsonObject(object) && !isJsonObject(object['metadata'])) return undefined
  const { oldObject } = value
  if (oldObject !== undefined && oldObject !== null && (!isJsonObject(oldObject) || !isJsonObject(oldObject['metadata']))) return undefined
  return value as unknown as ReviewRequest
}
