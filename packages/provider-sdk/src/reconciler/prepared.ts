import { withMeta } from '@weft/api'
import { EXTERNAL_NAME, requestedExternalName } from '@weft/composition'
import { withOwnership } from '../ownership/settle-ownership.ts'
import { FINALIZER } from '../resource/annotations.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'
import { type Attempt, withAnnotations } from './attempt.ts'

/**
 * The resource as it must be stored before anything is done to its external resource: with the name of that written down (never with prefix and
 * suffix: B31), a record that it is its own, and our finalizer. Where the external system assigns names there is nothing to name before it has.
 */
export function prepared(attempt: Attempt, options: { readonly adopting: boolean }): ManagedResource {
  const owning = withOwnership(attempt, options)
  const named =
    attempt.kind.externalNames === 'assigned' || requestedExternalName(owning) !== undefined
      ? owning
      : withAnnotations(owning, { [EXTERNAL_NAME]: owning.metadata.name ?? '' })
  const finalizers = named.metadata.finalizers ?? []
  return finalizers.includes(FINALIZER) ? named : withMeta(named, { finalizers: [...finalizers, FINALIZER] })
}
