import { messageOf } from '@weft/api'
import { resolveCredentials } from '../external/credentials.ts'
import type { Attempt } from '../reconciler/attempt.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'
import { identityOf } from './external-identity.ts'
import { namesakesAnywhere } from './ownership-index.ts'
import { ownershipOf } from './ownership-record.ts'

export const NOWHERE_ELSE: ReadonlySet<string> = new Set()

/**
 * Other provider configurations, of resources that are about something of the same name, that lead to where this resource's does: the names are
 * of one and the same external resource then. Asked only of what owns nothing yet and has such namesakes, so nearly never.
 */
export async function sameSystems(attempt: Attempt): Promise<ReadonlySet<string>> {
  const { kind, resource, context } = attempt
  const record = ownershipOf(resource)
  const identity = identityOf(kind, resource)
  if (kind.connector.systemOf === undefined || identity === undefined || (record !== undefined && record.state !== 'reserved'))
    return NOWHERE_ELSE
  const rivals = new Map<string, ManagedResource>()
  for (const other of namesakesAnywhere(context.primary, identity.name)) {
    const config = identityOf(kind, other)?.config
    if (config !== undefined && config !== identity.config) rivals.set(config, other)
  }
  if (rivals.size === 0) return NOWHERE_ELSE
  const own = await systemOf(attempt, resource)
  const same = new Set<string>()
  for (const [config, rival] of rivals) if (own !== undefined && own === (await systemOf(attempt, rival))) same.add(config)
  return same
}

/** Undefined: nobody can tell. What cannot be reached cannot be fought over. */
async function systemOf({ kind, context }: Attempt, resource: ManagedResource): Promise<string | undefined> {
  const { client, signal } = context
  const credentials = () => resolveCredentials(resource, { client, configKinds: kind.configKinds ?? [], signal })
  try {
    return await kind.connector.systemOf?.(resource, { client, signal, credentials })
  } catch (error) {
    signal.throwIfAborted()
    context.log.debug('cannot tell which system a provider configuration leads to', { error: messageOf(error) })
    return undefined
  }
}
