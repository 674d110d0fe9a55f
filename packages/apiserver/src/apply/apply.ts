import { badRequest, deepEqual, gvkOf, type KubeObject, StatusError } from '@weft/api'
import { Conflicts, conflictStatus } from './conflict.ts'
import { differenceWithChildren, equalSets, hasPath } from './fields/field-set.ts'
import { TypeMismatch } from './typed/list-items.ts'
import { kubectlManager, ownedByClientSideApply, syncLastApplied } from './last-applied.ts'
import { decodeManagedFields, encodeManagedFields, managedSet, type Managers, owning } from './managed-fields.ts'
import { mergeValues } from './typed/merge.ts'
import { disown, reconcileManagers } from './ownership.ts'
import { atOnce, type Parts } from './parts.ts'
import { prune } from './prune.ts'
import { settleEmptied } from './typed/remove.ts'
import { fieldSetOf } from './typed/to-field-set.ts'
import { recordUpdate, reuse, withManagedFields, type WriteContext } from './track-update.ts'
import { rootType, type Type } from './typed/type.ts'
import { validateApplied } from './typed/validate.ts'
import { type Versioned, Versions } from './versions.ts'

export interface ApplyRequest extends WriteContext {
  /** Undefined when the object does not exist: applying creates it. */
  readonly live: KubeObject | undefined
  /** What the client says about the object, not the whole of it. */
  readonly applied: KubeObject
  /** The Kind of the resource applied to: anything else is refused. Absent: the caller has checked. */
  readonly kind?: string | undefined
  /** Take over fields that others own instead of failing. */
  readonly force?: boolean | undefined
}

/** Fields that exist but were never tracked belong to this manager once somebody applies. */
const beforeFirstApply = 'before-first-apply'

/**
 * Server-side apply. Answers the merged object with managedFields brought up to date, before defaulting and
 * validation; `live` itself when nothing changes. Throws a StatusError: 409 with a cause per contended field, 400 for
 * an object that may not be applied, 500 (as kube-apiserver) for one that does not fit its schema.
 */
export const apply = (request: ApplyRequest): KubeObject => atOnce(applyInParts(request))

/** The same for large objects. Nothing is shared between two parts that another request could change. */
export function* applyInParts(request: ApplyRequest): Parts<KubeObject> {
  const { applied, apiVersion, kind = applied.kind, schema, builtIn = false } = request
  checkApplied(applied, apiVersion, kind)
  const type = rootType(schema, { builtIn })
  const problem = validateApplied(type, applied)
  if (problem !== undefined) throw untyped(applied, problem)
  yield

  const managers = decodeManagedFields(request.live?.metadata.managedFields ?? [])
  try {
    if (managers.size === 0 && request.live !== undefined) adoptUntracked(managers, request)
    const merged = yield* mergeAllowingKubectl(managers, request, type)
    yield
    return finish(merged, request)
  } catch (error) {
    if (error instanceof Conflicts) throw conflictStatus(error)
    if (error instanceof TypeMismatch) throw untyped(applied, error.message)
    throw error
  }
}

function checkApplied(applied: KubeObject, apiVersion: string, kind: string): void {
  if (applied.apiVersion !== apiVersion || applied.kind !== kind) throw badRequest(`invalid object type: ${formatGvk(applied)}`)
  const { managedFields } = applied.metadata
  if (managedFields !== undefined && managedFields !== null) throw badRequest('metadata.managedFields must be nil')
}

function formatGvk(object: KubeObject): string {
  const { group, version, kind } = gvkOf({ apiVersion: String(object.apiVersion ?? ''), kind: String(object.kind ?? '') })
  return `${group}/${version}, Kind=${kind}`
}

/** kube-apiserver has no status for these: they come as 500 without a reason. */
function untyped(applied: KubeObject, problem: string): StatusError {
  const { namespace = '', name = '' } = applied.metadata
  const message = `failed to create typed patch object (${namespace}/${name}; ${formatGvk(applied)}): ${problem}`
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 })
}

function adoptUntracked(managers: Managers, request: ApplyRequest): void {
  recordUpdate(managers, { ...request, manager: beforeFirstApply, live: undefined, next: request.live as KubeObject })
}

interface Merged {
  readonly object: KubeObject
  readonly managers: Managers
  /** The id of the applier. */
  readonly self: string
  readonly changed: boolean
}

/** kubectl may take over what its client-side apply set, as if forced. */
function* mergeAllowingKubectl(managers: Managers, request: ApplyRequest, type: Type): Parts<Merged> {
  const force = request.force === true
  try {
    return yield* merge(new Map(managers), request, type, force)
  } catch (error) {
    if (request.manager !== kubectlManager || !(error instanceof Conflicts) || request.live === undefined) throw error
    const allowed = ownedByClientSideApply(type, request.live, request.apiVersion)
    if (allowed === undefined) throw error
    const rest = error.conflicts.filter(({ path }) => !hasPath(allowed, path))
    if (rest.length > 0) throw new Conflicts(rest)
    return yield* merge(new Map(managers), request, type, true)
  }
}

function* merge(managers: Managers, request: ApplyRequest, type: Type, force: boolean): Parts<Merged> {
  const { applied, manager, apiVersion, subresource = '', resetFields, convert, builtIn = false } = request
  const versions = new Versions(convert, builtIn)
  const live: Versioned = { apiVersion, type, object: request.live ?? { apiVersion, kind: applied.kind, metadata: {} } }
  reconcileManagers(managers, live, versions)
  yield

  const said = fieldSetOf(type, applied)
  yield
  const set = resetFields === undefined ? said : differenceWithChildren(said, resetFields)
  const self = managedSet({ manager, operation: 'Apply', apiVersion, subresource }, set, undefined)
  const last = managers.get(self.id)
  const same = last !== undefined && last.apiVersion === apiVersion && equalSets(last.set, set)
  managers.set(self.id, same ? last : owning(self, set, last?.time))

  const object = mergeValues(type, live.object, applied) as KubeObject
  yield
  const next = prune({ apiVersion, type, object }, managers, last, versions)
  yield
  disown(managers, { live, next, versions, resetFields }, self.id, force)
  yield
  const result = next.object === object ? object : (settleEmptied(next.object, builtIn) as KubeObject)
  const changed = !deepEqual(result, live.object)
  return { object: changed ? result : live.object, managers, self: self.id, changed }
}

/** The time of an entry tells when its manager last changed the object; taking fields that were so already is no change. */
function finish({ object, managers, self, changed }: Merged, request: ApplyRequest): KubeObject {
  const own = managers.get(self)
  if (changed && own !== undefined) managers.set(self, owning(own, own.set, request.time))
  const stored = request.live?.metadata.managedFields
  const result = withManagedFields(object, reuse(encodeManagedFields(managers), stored))
  const synced = request.manager === kubectlManager ? syncLastApplied(result, request.applied) : result
  return request.live !== undefined && deepEqual(synced, request.live) ? request.live : synced
}
