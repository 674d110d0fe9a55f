import { conflict, formatTime, type KubeObject, notFound, withMeta } from '@weft/api'
import { ConflictError } from '../storage/index.ts'
import { storageKey } from './catalog.ts'
import { subjectOf } from './create.ts'
import type { RegistryServices, WriteContext } from './services.ts'
import { StoredObject } from './stored-object.ts'
import { isFree } from './update.ts'
import { viewOf } from './views.ts'

export interface DeleteOptions {
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'
  readonly orphanDependents?: boolean
  readonly gracePeriodSeconds?: number
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

export interface DeleteResult {
  /** The last state: gone, or still there with a deletionTimestamp. */
  readonly stored: StoredObject
  readonly gone: boolean
}

/** Deletes, or begins to: with finalizers left the object only gets its deletionTimestamp. Retries past other writers. */
export async function deleteObject(
  services: RegistryServices,
  context: WriteContext,
  name: string,
  options: DeleteOptions,
): Promise<DeleteResult> {
  for (;;) {
    try {
      return await attemptDelete(services, context, name, options)
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
    }
  }
}

async function attemptDelete(
  services: RegistryServices,
  context: WriteContext,
  name: string,
  options: DeleteOptions,
): Promise<DeleteResult> {
  const { type } = context
  const store = services.catalog.store(type)
  const current = store.get(storageKey(type, context.namespace, name))
  if (current === undefined) throw notFound(subjectOf(type, name))
  assertPreconditions(context, current.object, options)
  const oldObject = (await viewOf(type, current)).object
  const request = { operation: 'DELETE', ...context, name, oldObject } as const
  await services.admission.mutate(request)
  ;(await services.admission.validate(request))?.()
  const marked = mark(services, context, current.object, options)
  if (isFree(type, marked)) {
    if (context.dryRun) return { stored: current, gone: true }
    // Whoever follows objects that end gracefully sees that they were told to.
    const last =
      type.deletion.gracePeriod !== undefined && marked !== current.object
        ? await store.write(current.key, current.revision, marked)
        : current
    const revision = await store.remove(last.key, last.revision)
    return { stored: last.deletedAt(revision), gone: true }
  }
  if (context.dryRun || marked === current.object)
    return {
      stored: await viewOf(type, context.dryRun ? StoredObject.ofObject(current.key, current.revision, marked) : current),
      gone: false,
    }
  return { stored: await viewOf(type, await store.write(current.key, current.revision, marked)), gone: false }
}

function assertPreconditions({ type }: WriteContext, object: KubeObject, { preconditions }: DeleteOptions): void {
  const subject = { ...subjectOf(type, object.metadata.name), resource: type.kind }
  const { uid, resourceVersion } = object.metadata
  if (preconditions?.uid !== undefined && preconditions.uid !== uid)
    throw conflict(
      subject,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid ?? ''}). The object might have been deleted and then recreated`,
    )
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion)
    throw conflict(
      subject,
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion ?? ''}). The object might have been modified`,
    )
}

/** The object with deletion begun; the same reference when that changes nothing. */
function mark(services: RegistryServices, { type }: WriteContext, object: KubeObject, options: DeleteOptions): KubeObject {
  const { metadata } = object
  const finalizers = finalizersFor(metadata.finalizers ?? [], options)
  const sameFinalizers =
    finalizers.length === (metadata.finalizers ?? []).length && finalizers.every((f) => metadata.finalizers?.includes(f))
  const now = formatTime(services.now())
  const graceful = type.deletion.gracePeriod === undefined ? undefined : graciously(services, type.deletion.gracePeriod, object, options)
  if (graceful !== undefined)
    return sameFinalizers ? graceful : withMeta(graceful, { finalizers: finalizers.length > 0 ? finalizers : undefined })
  if (metadata.deletionTimestamp !== undefined && sameFinalizers) return object
  const begins = metadata.deletionTimestamp === undefined
  const marked = withMeta(object, {
    ...(begins && { deletionTimestamp: now }),
    // Kinds that delete in their own way say nothing of a grace period, and count no generation.
    ...(begins &&
      type.deletion.begin === undefined && {
        deletionGracePeriodSeconds: 0,
        ...(metadata.generation !== undefined && { generation: metadata.generation + 1 }),
      }),
    ...(!sameFinalizers && { finalizers: finalizers.length > 0 ? finalizers : undefined }),
  })
  return begins && type.deletion.begin !== undefined ? type.deletion.begin(marked, now) : marked
}

/** With its time to end; the same reference when it has less already. */
function graciously(
  { now }: RegistryServices,
  gracePeriod: NonNullable<WriteContext['type']['deletion']['gracePeriod']>,
  object: KubeObject,
  { gracePeriodSeconds }: DeleteOptions,
): KubeObject {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation } = object.metadata
  const period = gracePeriod(object, gracePeriodSeconds)
  const begins = deletionTimestamp === undefined
  if (!begins && period >= deletionGracePeriodSeconds) return object
  return withMeta(object, {
    deletionTimestamp: formatTime(now() + period * 1000),
    deletionGracePeriodSeconds: period,
    ...(begins && generation !== undefined && { generation: generation + 1 }),
  })
}

/** The garbage collector's finalizers follow the options; without options what is there stays. */
function finalizersFor(existing: readonly string[], options: DeleteOptions): readonly string[] {
  const policy =
    options.propagationPolicy ?? (options.orphanDependents === undefined ? undefined : options.orphanDependents ? 'Orphan' : 'Background')
  if (policy === undefined) return existing
  const others = existing.filter((f) => f !== 'orphan' && f !== 'foregroundDeletion')
  if (policy === 'Orphan') return [...others, 'orphan']
  if (policy === 'Foreground') return [...others, 'foregroundDeletion']
  return others
}
