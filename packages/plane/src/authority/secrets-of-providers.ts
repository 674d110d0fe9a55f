import { type Authorizer, resourceAttributes } from '@weft/apiserver'
import { isProviderAccount } from '@weft/controllers'

/**
 * Shows the programs of providers, when they list or watch Secrets, those that they may get. Programs that were made for clusters keep all Secrets in a
 * cache, and wait for ever where they may not; the names that they may get are in roles, which follow their resources. So nothing is given that could not be
 * had one by one, and where an administrator lets a program list a namespace, that is shown as well.
 */
export function secretsOfProviders(rbac: () => Authorizer | undefined): Authorizer {
  return {
    authorize({ user, verb, apiGroup, resource, subresource, resourceRequest }) {
      const isView =
        resourceRequest && (verb === 'list' || verb === 'watch') && apiGroup === '' && resource === 'secrets' && subresource === ''
      const authorizer = isView && isProviderAccount(user.username) ? rbac() : undefined
      if (authorizer === undefined) return DENIED
      const may = (asked: string, namespace: string, name: string): boolean =>
        authorizer.authorize(resourceAttributes(user, { verb: asked, resource, namespace, name })).allowed
      return { ...DENIED, only: (namespace, name) => may('get', namespace, name) || may(verb, namespace, name) }
    },
  }
}

const DENIED = { allowed: false, reason: '' }
