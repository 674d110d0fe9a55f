import {
  failure,
  type GroupVersionKind,
  hasReason,
  type KubeObject,
  parseGroupVersion,
  type StatusError,
  type StatusReason,
} from '@weft/api'
import {
  DELETION_ATTEMPT,
  IN_USE,
  inUseMessage,
  objectKey,
  type DeletionPropagation,
  type Usage,
  USAGE_KINDS,
  usedKey,
} from '@weft/controllers'
import type { Author, Authority } from '../authority/authority.ts'

/** A deletion that somebody asks for, wherever. */
export interface DeletionRequest {
  readonly object: KubeObject
  readonly author: Author
  readonly dryRun: boolean
  /** DeleteOptions, as they were sent. */
  readonly options: Readonly<Record<string, unknown>>
}

/** What the guard of objects in use asks of the world. */
export interface UsageSources {
  /** All objects of a kind, as far as they are known here. */
  known(kind: GroupVersionKind): readonly KubeObject[]
  /** All objects of a kind, for certain. */
  objects(kind: GroupVersionKind): readonly KubeObject[] | Promise<readonly KubeObject[]>
  readonly authority: Authority
  /** Notes on an object how somebody tried to delete it, by a merge patch. */
  note(object: KubeObject, patch: Readonly<Record<string, unknown>>): Promise<void>
}

/** May its deletion be a question? All other deletions cost one look at a label. One that is under way was answered before. */
export const mayBeInUse = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.[IN_USE] === 'true' && metadata.deletionTimestamp === undefined

/**
 * K141, K142: what is in use is not deleted. Answers the refusal, in Crossplane's words and with its status, so that whoever reads them understands
 * ours; the attempt is noted on the object, so that it can be made up for. A usage that the reader may not see is counted and not named.
 */
export async function refuseInUse(request: DeletionRequest, sources: UsageSources): Promise<StatusError | undefined> {
  const { object, author, dryRun } = request
  const key = objectKey(object)
  const of = (found: readonly KubeObject[]): readonly Usage[] => (found as readonly Usage[]).filter((each) => keyOf(each) === key)
  const usages = USAGE_KINDS.flatMap((kind) => of(sources.known(kind)))
  // What is remembered may lag behind; that nobody uses it must be certain.
  if (usages.length === 0) for (const kind of USAGE_KINDS) usages.push(...of(await sources.objects(kind)))
  if (usages.length === 0) return undefined
  const message = await messageFor(author, usages, sources.authority)
  const policy = policyOf(request.options)
  if (!dryRun && object.metadata.annotations?.[DELETION_ATTEMPT] !== policy)
    await sources.note(object, { metadata: { annotations: { [DELETION_ATTEMPT]: policy } } }).catch((error: unknown) => {
      // Refused it is in any case.
      if (!hasReason(error, 'Forbidden') && !hasReason(error, 'NotFound')) throw error
    })
  // Crossplane gives the message as the reason: nobody takes it for a lost race, and tries again at once.
  return failure({ code: 409, reason: message as StatusReason, message })
}

/** Usages are many and their keys are text: made once for each. */
const KEYS = new WeakMap<KubeObject, string>()

function keyOf(usage: Usage): string {
  let key = KEYS.get(usage)
  if (key === undefined) KEYS.set(usage, (key = usedKey(usage) ?? ''))
  return key
}

async function messageFor(author: Author, usages: readonly Usage[], authority: Authority): Promise<string> {
  for (const usage of usages) {
    const { group } = parseGroupVersion(usage.apiVersion)
    const { namespace, name } = usage.metadata
    const resource = usage.kind === 'ClusterUsage' ? 'clusterusages' : 'usages'
    if (await authority.allows(author, { verb: 'get', group, resource, namespace, name })) return inUseMessage(usage, usages.length)
  }
  return `This resource is in-use by ${usages.length} usage(s) that you may not see: ask whoever administers this control plane.`
}

function policyOf({ propagationPolicy, orphanDependents }: Readonly<Record<string, unknown>>): DeletionPropagation {
  if (propagationPolicy === 'Foreground' || propagationPolicy === 'Orphan') return propagationPolicy
  return propagationPolicy === undefined && orphanDependents === true ? 'Orphan' : 'Background'
}
