import { invalid, isJsonObject, type KubeObject, type Status, type StatusError } from '@weft/api'
import type { ServedKinds } from '@weft/apiserver'
import { type AdmissionSubject, type Author, type Authority, type Defined, type Existing, guard, judge, lacksRights } from '@weft/plane'

/** `admission.k8s.io/v1`: what an API server asks a webhook, as far as we read it. */
interface ReviewRequest {
  readonly uid: string
  readonly operation: string
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly resource?: { readonly resource?: string }
  readonly userInfo?: Partial<Author>
  readonly subResource?: string
  readonly object?: KubeObject | null
  readonly oldObject?: KubeObject | null
}

export interface ReviewAnswer {
  readonly apiVersion: 'admission.k8s.io/v1'
  readonly kind: 'AdmissionReview'
  readonly response: { readonly uid: string; readonly allowed: boolean; readonly status?: Status; readonly warnings?: readonly string[] }
}

/** What a review is about: is something wrong with the object, may its author have it so, would something that exists be lost? */
export type Question = 'mistakes' | 'rights' | 'losses'

export interface ReviewSources {
  readonly kinds: ServedKinds
  readonly authority: Authority
  readonly existing: Existing & Defined
}

/** Undefined: what was sent is no review. */
export async function answerReview(
  review: unknown,
  question: Question,
  { kinds, authority, existing }: ReviewSources,
): Promise<ReviewAnswer | undefined> {
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
  const { refusal, warnings } =
    question === 'mistakes'
      ? mistakesOf(subject, kinds)
      : { refusal: (await refusalOf(question, author, subject, { kinds, authority, existing }))?.status, warnings: [] }
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

const refusalOf = async (
  question: 'rights' | 'losses',
  author: Author,
  subject: AdmissionSubject & { readonly resource: string },
  { kinds, authority, existing }: ReviewSources,
): Promise<StatusError | undefined> =>
  question === 'rights'
    ? lacksRights(author, subject, { kinds, authority })
    : guard({ ...subject, plural: subject.resource, username: author.username }, existing)

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
  return value as unknown as ReviewRequest
}
