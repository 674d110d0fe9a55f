import { isJsonObject } from '@weft/api'
import { Refusal } from '../answer.ts'
import { ask, memberOf } from '../proxy/ask.ts'
import type { ConsoleSession } from '../session/sessions.ts'

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
const MOST = 256
/** Questions to the API server at a time. */
const AT_ONCE = 8

/** What somebody wants to do; as `resourceAttributes` of a SelfSubjectAccessReview. */
export type Wish = Readonly<Record<string, string>>

export function readWishes({ wishes }: Readonly<Record<string, unknown>>): readonly Wish[] {
  if (!Array.isArray(wishes) || wishes.length > MOST || !wishes.every(isWish))
    throw new Refusal(400, 'BadRequest', `"wishes" is a list of at most ${MOST} objects of strings`)
  return wishes
}

const isWish = (value: unknown): value is Wish => isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string')

/** May the user do each of them? Asked as the user, in the same order. */
export async function reviewAll({ identity }: ConsoleSession, wishes: readonly Wish[]): Promise<readonly boolean[]> {
  const allowed: boolean[] = []
  for (let at = 0; at < wishes.length; at += AT_ONCE)
    allowed.push(
      ...(await Promise.all(
        wishes.slice(at, at + AT_ONCE).map(async (resourceAttributes) => {
          const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } }
          return memberOf(await ask(identity.forwarder, 'POST', REVIEWS, review), 'status', 'allowed') === true
        }),
      )),
    )
  return allowed
}

/** May the user get this path, which is of no resource? */
export async function mayGet({ identity }: ConsoleSession, path: string): Promise<boolean> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { nonResourceAttributes: { path, verb: 'get' } },
  }
  return memberOf(await ask(identity.forwarder, 'POST', REVIEWS, review), 'status', 'allowed') === true
}
