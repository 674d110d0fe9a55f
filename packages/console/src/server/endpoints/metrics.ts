import { ask, memberOf } from '../proxy/ask.ts'
import type { ConsoleSession } from '../session/sessions.ts'

const ACCESS_REVIEW = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'

/** The samples were read with the operator's credentials: only who could read them too may see them. */
export async function mayReadMetrics({ identity }: ConsoleSession): Promise<boolean> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { nonResourceAttributes: { path: '/metrics', verb: 'get' } },
  }
  return memberOf(await ask(identity.forwarder, 'POST', ACCESS_REVIEW, review), 'status', 'allowed') === true
}
