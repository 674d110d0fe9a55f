import { servedKind } from '../definition/served-kind.ts'
import { type KubeObject } from '@weft/api'
import { type Client } from '@weft/client'
import { controllerOf } from '@weft/composition'
import type { DefinedKind } from '../definition/definition.ts'
import type { Usage, UsageEnd } from './usage.ts'
import { UsageError } from './usage-error.ts'

/** K139: the usage with its selectors resolved, each to the first object that matches, once and for all. The very same one when there is nothing to resolve. */
export async function resolveSelectors(client: Client, usage: Usage): Promise<Usage> {
  const { of, by } = usage.spec
  const resolvedOf = of.resourceRef?.name ? of : await resolve(client, of, usage, 'used')
  const resolvedBy = by === undefined || by.resourceRef?.name ? by : await resolve(client, by, usage, 'using')
  if (resolvedOf === of && resolvedBy === by) return usage
  return { ...usage, spec: { ...usage.spec, of: resolvedOf, ...(resolvedBy && { by: resolvedBy }) } }
}

async function resolve(client: Client, end: UsageEnd, usage: Usage, which: 'used' | 'using'): Promise<UsageEnd> {
  const { apiVersion = '', kind = '', resourceSelector: selector } = end
  const fail = (why: string): never => {
    throw new UsageError('ResolveSelectors', `cannot resolve selectors: cannot resolve selector for ${which} resource: ${why}`)
  }
  if (selector === undefined) return fail('neither a reference nor a selector is given')
  const served = await servedKind(client, end)
  if (served === undefined) return fail(`nothing serves ${kind} of ${apiVersion}`)
  const own = usage.metadata.namespace ?? ''
  const asked = which === 'used' ? selector.namespace : undefined
  mustBeTheirs(served, asked, usage, which)
  const matchLabels = { ...selector.matchLabels }
  const namespace = served.namespaced ? (asked ?? own) : ''
  const { items } = await client.list(served, { ...(namespace && { namespace }), labels: { matchLabels } })
  const controller = controllerOf(usage)?.uid
  const found = items.find(
    (each) => selector.matchControllerRef !== true || (controller !== undefined && controllerOf(each)?.uid === controller),
  )
  const labels = JSON.stringify(matchLabels)
  if (found === undefined)
    return fail(
      `no ${kind} found with labels ${labels}${selector.matchControllerRef === true ? ' and with the same controller as this one' : ''}`,
    )
  const { name = '', namespace: at = '' } = found.metadata
  return { ...end, resourceRef: { name, ...(which === 'used' && at !== own && { namespace: at }) } }
}

/**
 * K143: a Usage in a namespace protects what is there. What is elsewhere, in another namespace or in none, has to be named as such: whoever writes that is
 * asked for rights on it.
 */
export function mustBeTheirs(kind: DefinedKind, namespace: string | undefined, usage: KubeObject, which: 'used' | 'using'): void {
  if (which === 'using' || kind.namespaced || usage.metadata.namespace === undefined || namespace === '') return
  throw new UsageError(
    'GetUsedResource',
    `cannot get used: ${kind.kind} is cluster-scoped, and a Usage protects what is in its own namespace: write a ClusterUsage, or give the reference the namespace ""`,
  )
}
