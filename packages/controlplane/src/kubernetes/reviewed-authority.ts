import { type Client, NoMatchError } from '@weft/client'
import type { Authority } from '@weft/plane'

/** Asks a real server what somebody may do. Writes of classes and definitions are rare: nothing is remembered, so nothing is stale. */
export function reviewedAuthority(client: Client): Authority {
  let self: Promise<string> | undefined
  return {
    isWeft: async ({ username }) => {
      self ??= whoAmI(client).catch((error: unknown) => {
        self = undefined
        throw error
      })
      return username === (await self)
    },
    async allows({ username, groups, uid, extra }, { verb, group, resource, namespace, name }) {
      const { body } = await client.transport.request({
        verb: 'create',
        resource: { group: 'authorization.k8s.io', version: 'v1', plural: 'subjectaccessreviews' },
        object: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          metadata: {},
          spec: {
            user: username,
            groups,
            ...(uid !== undefined && { uid }),
            ...(extra !== undefined && { extra }),
            resourceAttributes: {
              verb,
              group,
              resource,
              ...(namespace !== undefined && { namespace }),
              ...(name !== undefined && { name }),
            },
          },
        },
      })
      return (body as { status?: { allowed?: boolean } }).status?.allowed === true
    },
    async resourceOf(kind) {
      try {
        return (await client.mapping(kind)).plural
      } catch (error) {
        if (error instanceof NoMatchError) return undefined
        throw error
      }
    },
  }
}

async function whoAmI(client: Client): Promise<string> {
  const { body } = await client.transport.request({
    verb: 'create',
    resource: { group: 'authentication.k8s.io', version: 'v1', plural: 'selfsubjectreviews' },
    object: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} },
  })
  return (body as { status?: { userInfo?: { username?: string } } }).status?.userInfo?.username ?? ''
}
