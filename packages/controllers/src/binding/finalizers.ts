import { type KubeObject, withMeta } from '@weft/api'

/** On claims: added before anything is created for them, removed when what they hold is released. */
export const CLAIM_FINALIZER = 'finalizer.resourceclaim.crossplane.io'
/** On the groups of seeds 000 and 001: their members are reclaimed first. */
export const AGGREGATE_FINALIZER = 'finalizer.aggregation.crossplane.io'
export const COMPOSITE_FINALIZER = 'finalizer.compositeresource.crossplane.io'

export const hasFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean => metadata.finalizers?.includes(finalizer) === true

export const withFinalizer = <T extends KubeObject>(object: T, finalizer: string): T =>
  hasFinalizer(object, finalizer) ? object : withMeta(object, { finalizers: [...(object.metadata.finalizers ?? []), finalizer] })

export function withoutFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object
  const finalizers = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer)
  return withMeta(object, { finalizers: finalizers.length === 0 ? undefined : finalizers })
}

export const isDeleted = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined
