import { type ExternalClient, isBeingDeleted } from '@weft/provider-sdk'
import { conditionsAfter } from './conditions-after.ts'
import type { NopResource } from './nop-resource.ts'

/**
 * The external client of a resource that does nothing: it exists as long as its managed resource is not being deleted, and is always what
 * it should be. So only `observe` has anything to say.
 */
export const nopClient: ExternalClient<NopResource> = {
  observe(resource, context) {
    if (isBeingDeleted(resource)) return Promise.resolve({ exists: false })
    const { conditionAfter = [], connectionDetails = [], fields } = resource.spec?.forProvider ?? {}
    const { conditions, ready, nextInMs } = conditionsAfter(
      conditionAfter,
      context.now() - Date.parse(resource.metadata.creationTimestamp ?? ''),
    )
    return Promise.resolve({
      exists: true,
      upToDate: true,
      readiness: ready ? 'available' : 'creating',
      conditions,
      connection: Object.fromEntries(connectionDetails.map(({ name, value }) => [name, value])),
      ...(fields !== undefined && { atProvider: { fields } }),
      ...(nextInMs !== undefined && { recheckAfterMs: nextInMs }),
    })
  },
  create: () => Promise.resolve({}),
  update: () => Promise.resolve({}),
  delete: () => Promise.resolve(),
}
