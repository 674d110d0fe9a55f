import { type Authorizer, resourceAttributes, type ServedKinds } from '@weft/apiserver'
import { isAccount } from '../accounts/account.ts'
import type { Authority } from './authority.ts'

/** What the embedded server's own authorizer says, at once. */
export const embeddedAuthority = (kinds: () => ServedKinds, authorizer: () => Authorizer): Authority => ({
  allows: ({ username, groups, uid, extra }, { verb, group, resource, namespace, name }) => {
    const user = { username, groups, ...(uid !== undefined && { uid }), ...(extra !== undefined && { extra }) }
    const attributes = { verb, apiGroup: group, resource, ...(namespace && { namespace }), ...(name && { name }) }
    return authorizer().authorize(resourceAttributes(user, attributes)).allowed
  },
  isWeft: ({ username }) => Promise.resolve(isAccount(username)),
  resourceOf: (kind) => kinds().find(kind)?.plural,
})
