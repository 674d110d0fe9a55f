import { conflict, deepEqual, failure, field, hasReason, invalid, type KubeObject, notFound, staleWrite, withMeta } from '@weft/api'
import { ConflictError } from '../storage/index.ts'
import { storageKey } from './catalog.ts'
import { createObject, subjectOf } from './create.ts'
import { revertTimestamps } from '../apply/index.ts'
import { track } from './field-tracking.ts'
import { longWork } from './long-work.ts'
import { type ResourceType, strategyFor } from './resource-type.ts'
import type { RegistryServices, WriteContext } from './services.ts'
import { fitted } from './fitted.ts'
import { StoredObject } from './stored-object.ts'
import { assertValidUpdate } from './validate.ts'
import { withDistinctOwners } from './owner-references.ts'
import { HeldValues } from './held-values.ts'
import { rememberMade, rememberView, viewOf } from './views.ts'

export interface UpdateResult {
  readonly stored: StoredObject
  readonly created: boolean
}

/** How a request turns the live object into the next one. Called again with the newer object when somebody else wrote first. */
export interface ProposedChange {
  /** In the version of the request. A result with a resourceVersion makes the write conditional on it. Long work is to be done in turns. */
  transform(live: KubeObject, isLong: boolean): KubeObject | Promise<KubeObject>
  /** Present where the request may create a missing object: the object to create. */
  readonly create?: (() => KubeObject | Promise<KubeObject>) | undefined
  /** PUT: resourceVersion may be required. */
  readonly replaces?: boolean
}

const MAX_ATTEMPTS = 64

export async function updateObject(
  services: RegistryServices,
  context: WriteContext,
  name: string,
  change: ProposedChange,
): Promise<UpdateResult> {
  const { turns } = services.catalog.store(context.type)
  const held = new HeldValues()
  const run = (): Promise<UpdateResult> => attemptUpdate(services, context, name, change, held)
  for (let attempt = 1; ; attempt++) {
    try {
      return await (attempt === 1 ? run() : turns.take(storageKey(context.type, context.namespace, name), run))
    } catch (error) {
      const raced = error instanceof ConflictError || (change.create !== undefined && hasReason(error, 'AlreadyExists'))
      if (!raced) throw error
      if (attempt >= MAX_ATTEMPTS) throw staleWrite(subjectOf(context.type, name))
    } finally {
      held.settle()
    }
  }
}

async function attemptUpdate(
  services: RegistryServices,
  context: WriteContext,
  name: string,
  change: ProposedChange,
  held: HeldValues,
): Promise<UpdateResult> {
  const { type, subresource } = context
  const store = services.catalog.store(type)
  const key = storageKey(type, context.namespace, name)
  const current = store.get(key)
  if (current === undefined) {
    if (change.create === undefined) throw notFound(subjectOf(type, name))
    const made = await change.create()
    assertVersionSyntax(made)
    return {
      stored: await createObject(services, context, context.dryRun ? made : withMeta(made, { resourceVersion: undefined })),
      created: true,
    }
  }
  // A small patch of a large object is as much work as the object.
  const isLong = longWork.isLong(Math.max(context.bytes ?? 0, current.weight))
  if (isLong) await longWork.turn()
  const view = viewOf(type, current)
  const live = (view instanceof Promise ? await view : view).object
  const proposed = await change.transform(live, isLong)
  assertSameObject(context, proposed, live, change)
  const strategy = strategyFor(type, subresource)
  if (isLong) await longWork.turn()
  const carried = carryOver(change.replaces === true ? withDistinctOwners(proposed, context.warn, false) : proposed, live)
  // Owners are recorded before admission and the kind's own changes: what the server adds belongs to nobody.
  const tracked = context.applied === true ? carried : track(services, context, carried, live)
  const request = { operation: 'UPDATE', ...context, name, oldObject: live } as const
  const admitted = (await services.admission.mutate({ ...request, object: tracked })) ?? tracked
  // As on kube-apiserver, what admission has to say of a write that comes too late is said first.
  const conditional = assertCurrent(context, proposed, live, change)
  const decoded = admitted === tracked ? tracked : type.decode(carryOver(admitted, live))
  if (isLong) await longWork.turn()
  const prepared = strategy.prepareForUpdate(withDistinctOwners(held.give(services, context, decoded, live), context.warn, true), live, {
    now: services.now(),
    user: context.user,
  })
  const counted = withGeneration(type, revertTimestamps(live, prepared), live, subresource)
  if (isLong) await longWork.turn()
  assertValidUpdate(type, counted, live, { subresource, warn: context.warn })
  if (isLong) await longWork.turn()
  const next = context.applied === true ? (type.prune?.(counted) ?? counted) : counted
  for (const warning of strategy.warnings(next, live)) context.warn(warning)
  const settle = await services.admission.validate({ ...request, object: next })
  try {
    if (isLong) await longWork.turn()
    // A write that changes nothing is checked like any other, but leaves the version as it is.
    if (deepEqual(next, live)) return { stored: view instanceof Promise ? await view : view, created: false }
    if (context.dryRun) return { stored: StoredObject.ofObject(key, current.revision, next), created: false }
    if (isLong) await longWork.turn()
    return { stored: await persist(services, type, current, fitted(type, key, next, context)), created: false }
  } catch (error) {
    if (!(error instanceof ConflictError) || !conditional) throw error
    throw staleWrite(subjectOf(type, name))
  } finally {
    settle?.()
  }
}

/** A replacement that names a uid is meant for that object alone. */
function assertSameObject({ type }: WriteContext, { metadata: { uid } }: KubeObject, live: KubeObject, change: ProposedChange): void {
  if (change.replaces === true && uid && uid !== live.metadata.uid)
    throw conflict(
      subjectOf(type, live.metadata.name),
      `StorageError: invalid object, Code: 4, Key: ${publicKey(type, live)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid ?? ''}`,
    )
}

/**
 * Is the write conditional on the resourceVersion that the client saw? Throws when that is already stale. A patch
 * starts from the live object and carries its version along: only one that names another is conditional.
 */
function assertCurrent({ type, subresource }: WriteContext, proposed: KubeObject, live: KubeObject, change: ProposedChange): boolean {
  const subject = subjectOf(type, live.metadata.name)
  const { resourceVersion = '' } = proposed.metadata
  assertVersionSyntax(proposed)
  if (Number(resourceVersion) === 0) {
    if (!strategyFor(type, subresource).unconditionalUpdate)
      throw invalid({ group: type.group, kind: type.plural, name: subject.name }, [
        field.invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ])
    return false
  }
  if (resourceVersion !== live.metadata.resourceVersion) throw staleWrite(subject)
  return change.replaces === true
}

function assertVersionSyntax({ metadata: { resourceVersion = '' } }: KubeObject): void {
  if (resourceVersion !== '' && !/^\d+$/.test(resourceVersion))
    throw failure({ code: 500, reason: '', message: `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax` })
}

/** Where kube-apiserver would keep the object: part of a message that clients match. */
const publicKey = (type: ResourceType, { metadata }: KubeObject): string =>
  ['/registry', ...(type.custom ? [type.group] : []), type.plural, ...(type.namespaced ? [metadata.namespace] : []), metadata.name].join(
    '/',
  )

/** What an update can never change. */
function carryOver(next: KubeObject, live: KubeObject): KubeObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, resourceVersion } = live.metadata
  return withMeta(next, {
    uid: next.metadata.uid || uid,
    creationTimestamp,
    ...(deletionTimestamp !== undefined && {
      deletionTimestamp,
      deletionGracePeriodSeconds: next.metadata.deletionGracePeriodSeconds ?? deletionGracePeriodSeconds,
    }),
    generation,
    resourceVersion,
    selfLink: undefined,
  })
}

function withGeneration(type: ResourceType, next: KubeObject, live: KubeObject, subresource: string): KubeObject {
  const counts = subresource === '' || subresource === 'scale'
  if (!counts || type.bumpsGeneration?.(next, live) !== true) return next
  return withMeta(next, { generation: (live.metadata.generation ?? 0) + 1 })
}

async function persist(services: RegistryServices, type: ResourceType, current: StoredObject, next: KubeObject): Promise<StoredObject> {
  const store = services.catalog.store(type)
  const gone = next.metadata.deletionTimestamp !== undefined && isFree(type, next)
  if (gone) {
    const revision = await store.remove(current.key, current.revision)
    // The answer shows the version that was deleted; only watchers see the one of the deletion.
    return StoredObject.ofObject(current.key, revision, next)
  }
  const [stored = next] = type.conversion === undefined ? [next] : await type.conversion.toStored([next])
  const written = await store.write(current.key, current.revision, stored, stored === next ? (made) => rememberMade(type, made) : undefined)
  if (type.custom || stored === next) return viewOf(type, written)
  return rememberView(type, written, withMeta(next, { resourceVersion: written.object.metadata.resourceVersion }))
}

/** Nothing keeps a deleted object any longer. */
export const isFree = (type: ResourceType, object: KubeObject): boolean =>
  (object.metadata.finalizers ?? []).length === 0 &&
  (object.metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
  type.deletion.isHeld?.(object) !== true
