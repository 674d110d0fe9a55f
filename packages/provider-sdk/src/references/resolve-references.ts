import { formatGroupKind, getOwn, type GroupKind, isJsonObject, type JsonObject, type KubeObject } from '@weft/api'
import { type Client, NoMatchError, type Random } from '@weft/client'
import {
  type FieldRef,
  findReferences,
  matchingCandidates,
  nextStep,
  readField,
  type ReferenceField,
  type ReferenceTarget,
  type Result,
  withReference,
  withReferencedValue,
} from '@weft/composition'
import type { AwaitedTarget } from './awaited-target.ts'

export type ReferenceErrorCode =
  /** What is referred to does not exist (yet). */
  | 'NotFound'
  /** No object matches the selector (yet). */
  | 'NoMatch'
  /** The value cannot be written where it belongs. */
  | 'Unwritable'

/** A reference cannot be resolved now. Retried: objects may be applied in any order (X8). */
export class UnresolvedReferenceError extends Error {
  readonly code: ReferenceErrorCode
  /** What would resolve it; undefined where no other object can. */
  readonly awaited: AwaitedTarget | undefined

  constructor(code: ReferenceErrorCode, message: string, awaited?: AwaitedTarget) {
    super(message)
    this.name = 'UnresolvedReferenceError'
    this.code = code
    this.awaited = awaited
  }
}

export interface ReferenceResolver {
  readonly client: Client
  readonly random: Random
  readonly targets: readonly ReferenceTarget[]
}

/**
 * The resource with every `X` set from its `XRef`, and every missing `XRef` chosen by its `XSelector`, at random among those that match
 * (A16). The very same resource when nothing changes. Fields whose targets no data names are left alone. Resolves as many fields as it
 * can; `error` is the first that it could not.
 */
export async function resolveReferences<T extends KubeObject>(
  resource: T,
  resolver: ReferenceResolver,
): Promise<{ readonly resource: T; readonly error?: UnresolvedReferenceError }> {
  // The common case is a resource without references: it should cost one walk and no promise per field.
  const fields = findReferences(resource, resolver.targets).filter(({ target }) => target !== undefined)
  let current: KubeObject = resource
  let error: UnresolvedReferenceError | undefined
  for (const field of fields) {
    try {
      current = await resolveField(current, field, resolver)
    } catch (thrown) {
      if (!(thrown instanceof UnresolvedReferenceError)) throw thrown
      error ??= thrown
    }
  }
  return { resource: current as T, ...(error !== undefined && { error }) }
}

async function resolveField(resource: KubeObject, field: ReferenceField, resolver: ReferenceResolver): Promise<KubeObject> {
  const step = nextStep(field)
  switch (step.kind) {
    case 'ignore':
      return resource
    case 'get': {
      const targets = await Promise.all(step.refs.map((ref) => getTarget(resource, field, ref, resolver)))
      return written(field, withReferencedValue(resource, field, targets))
    }
    case 'select': {
      const targets = await select(resource, field, step.selectors, resolver)
      const refs = targets.map((target) => refTo(resource, target))
      const referring = written(field, withReference(resource, field, refs))
      return written(field, withReferencedValue(referring, field, targets))
    }
  }
}

async function getTarget(from: KubeObject, field: ReferenceField, ref: FieldRef, { client }: ReferenceResolver): Promise<KubeObject> {
  const kinds = kindsOf(from, field)
  const namespace = ref.namespace ?? from.metadata.namespace
  for (const kind of kinds) {
    const target = await ifServed(() => client.find(kind, { name: ref.name, namespace }))
    if (target === undefined) continue
    if (!isLeaving(target) || isLeaving(from) || isResolved(field)) return target
    // What is made to depend on it would keep it from going, and go with it: the next of that name is waited for.
    throw new UnresolvedReferenceError('NotFound', `${field.refPath.text}: ${describe([kind])} ${ref.name} is being deleted`, {
      kinds,
      name: ref.name,
    })
  }
  throw new UnresolvedReferenceError('NotFound', `${field.refPath.text}: there is no ${describe(kinds)} named ${ref.name}`, {
    kinds,
    name: ref.name,
  })
}

const isLeaving = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined

/** Has it a value already, which may be in use? */
const isResolved = ({ value, disguised }: ReferenceField): boolean => !disguised && value !== undefined && value !== null

/** One object per selector (A16: several matches ⇒ one at random); fields that hold many take every match. */
async function select(
  from: KubeObject,
  field: ReferenceField,
  selectors: readonly JsonObject[],
  { client, random }: ReferenceResolver,
): Promise<readonly KubeObject[]> {
  const kinds = kindsOf(from, field)
  const lists = await Promise.all(
    kinds.map((kind) => ifServed(async () => (await client.list(kind, { namespace: from.metadata.namespace })).items)),
  )
  // One that is going away would be gone before it could be used.
  const candidates = lists.flatMap((list) => list ?? []).filter((candidate) => !isLeaving(candidate))
  const chosen: KubeObject[] = []
  for (const selector of selectors) {
    const matches = matchingCandidates(selector, from, candidates)
    if (matches.length === 0)
      throw new UnresolvedReferenceError('NoMatch', `${field.refPath.text}: no ${describe(kinds)} matches the selector`, { kinds })
    if (field.many) chosen.push(...matches.filter((match) => !chosen.includes(match)))
    else chosen.push(matches[Math.floor(random() * matches.length)] as KubeObject)
  }
  return chosen
}

/** A reference may say which of the possible kinds it means. */
function kindsOf(from: KubeObject, field: ReferenceField): readonly GroupKind[] {
  const kinds = field.target?.kinds ?? []
  if (kinds.length < 2) return kinds
  const wanted = kindIn(from, field)
  const narrowed = kinds.filter(({ kind }) => kind === wanted)
  return narrowed.length > 0 ? narrowed : kinds
}

function kindIn(from: KubeObject, field: ReferenceField): unknown {
  const found = readField(from, field.refPath)
  const ref: unknown = found.ok && Array.isArray(found.value) ? found.value[0] : found.ok ? found.value : undefined
  return isJsonObject(ref) ? getOwn(ref, 'kind') : undefined
}

function refTo(from: KubeObject, { metadata }: KubeObject): FieldRef {
  const { name = '', namespace } = metadata
  return namespace === undefined || namespace === from.metadata.namespace ? { name } : { name, namespace }
}

/** A target kind that is not installed has no objects; it may come later. */
async function ifServed<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof NoMatchError) return undefined
    throw error
  }
}

function written(field: ReferenceField, result: Result<KubeObject>): KubeObject {
  if (result.ok) return result.value
  throw new UnresolvedReferenceError('Unwritable', `${field.valuePath.text}: ${result.error.message}`)
}

const describe = (kinds: readonly GroupKind[]): string => kinds.map(formatGroupKind).join(' or ')
