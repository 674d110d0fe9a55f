import { childPath, getOwn, indexPath, isJsonObject, type JsonObject, type Schema } from '@weft/api'
import { parseFieldPath } from '../fieldpath/parse.ts'
import { compileFormat } from '../transforms/format.ts'
import type { ComposedKind } from './composed-kind.ts'
import { formatToCrossplane } from './format-to-crossplane.ts'
import { listOf } from './list-of.ts'
import type { Tell } from './loss.ts'
import { movePath, type Side } from './machinery.ts'
import { transformsToCrossplane } from './transforms-to-crossplane.ts'
import { transformsToWeft } from './transforms-to-weft.ts'

/** The two objects of a patch, as far as their kinds are defined here. */
export interface PatchKinds {
  readonly composite: ComposedKind | undefined
  readonly composed: ComposedKind | undefined
}

interface Place {
  readonly path: string
  readonly tell: Tell
}

const FROM_COMPOSITE = 'FromCompositeFieldPath'

/** Patches as the other side writes them. One that cannot be said is left out. */
export function movePatches(patches: unknown, kinds: PatchKinds, to: Side, { path, tell }: Place): readonly JsonObject[] {
  return listOf(patches).flatMap((patch, i) => {
    const moved = movePatch(patch, kinds, to, { path: indexPath(path, i), tell })
    return moved === undefined ? [] : [moved]
  })
}

function movePatch(patch: JsonObject, kinds: PatchKinds, to: Side, { path, tell }: Place): JsonObject | undefined {
  const type = String(getOwn(patch, 'type') ?? FROM_COMPOSITE)
  if (type === 'PatchSet') return { type, patchSetName: patch['patchSetName'] } as JsonObject
  if (type.includes('Environment')) {
    tell(childPath(path, 'type'), 'templates have no environment: the patch is left out')
    return undefined
  }
  const writesComposite = type.includes('ToComposite')
  const [source, target] = writesComposite ? [kinds.composed, kinds.composite] : [kinds.composite, kinds.composed]
  const from = textAt(patch, 'fromFieldPath') ?? textAt(patch, 'fromClaimFieldPath')
  const given = textAt(patch, 'toFieldPath') ?? textAt(patch, 'toResourceFieldPath')
  const fate = writesComposite ? compositeTarget(given ?? from ?? '', to) : composedTarget(given ?? from ?? '', to)
  if (fate === 'void') return undefined
  const whereTo = childPath(path, given === undefined ? 'fromFieldPath' : 'toFieldPath')
  if (fate !== 'fine') {
    tell(whereTo, fate)
    return undefined
  }
  const lost = (field: string, text: string): undefined => {
    tell(childPath(path, field), noSuchField(text, to))
    return undefined
  }
  const movedFrom = from === undefined ? undefined : movePath(from, source, to)
  if (from !== undefined && movedFrom === undefined) return lost('fromFieldPath', from)
  const goal = given ?? from
  const movedTo = goal === undefined ? undefined : movePath(goal, target, to)
  if (goal !== undefined && movedTo === undefined) return lost(given === undefined ? 'fromFieldPath' : 'toFieldPath', goal)
  const combine = moveCombine(patch, source, to, { path, tell })
  if (combine === undefined) return undefined
  const transforms = listOf(getOwn(patch, 'transforms'))
  const input = from === undefined ? undefined : typeAt(source, from)
  const at = { path: childPath(path, 'transforms'), tell }
  const moved =
    to === 'weft' ? transformsToWeft(transforms, at) : transformsToCrossplane(transforms, type.startsWith('Combine') ? 'string' : input, at)
  if (moved === undefined) return undefined
  const policy = movePolicy(getOwn(patch, 'policy'))
  return {
    ...((to === 'crossplane' || type !== FROM_COMPOSITE) && { type }),
    ...(movedFrom !== undefined && { fromFieldPath: movedFrom }),
    ...(movedTo !== undefined && (given !== undefined || movedTo !== movedFrom) && { toFieldPath: movedTo }),
    ...combine,
    ...(moved.length > 0 && { transforms: moved }),
    ...(policy !== undefined && { policy }),
  } as JsonObject
}

const noSuchField = (path: string, to: Side): string =>
  /composedRefs|resourceRefs/.test(path)
    ? `the order of ${path} differs on the other side, so it would refer to another resource: the patch is left out`
    : `${to === 'crossplane' ? 'Crossplane' : 'Weft'} has nothing for ${path}: the patch is left out`

/** `void`: it does nothing on the side that it comes from, so that nothing is lost without it. */
type Fate = 'fine' | 'void' | (string & {})

/** Templates write back into all of a composite, functions into its status alone. */
function compositeTarget(path: string, to: Side): Fate {
  const parsed = parseFieldPath(path)
  if (!parsed.ok || parsed.value.segments[0] === 'status') return 'fine'
  return to === 'weft' ? 'void' : `functions write into the status of a composite, not into ${path}: the patch is left out`
}

/** Weft decides about a resource's metadata but for labels and annotations, and ignores what templates say. */
function composedTarget(path: string, to: Side): Fate {
  const parsed = parseFieldPath(path)
  const [root, field] = parsed.ok ? parsed.value.segments : []
  if (root !== 'metadata' || field === 'labels' || field === 'annotations') return 'fine'
  return to === 'crossplane' ? 'void' : `Weft decides about ${path} of what it composes: the patch is left out`
}

function moveCombine(patch: JsonObject, source: ComposedKind | undefined, to: Side, { path, tell }: Place): JsonObject | undefined {
  const combine = getOwn(patch, 'combine')
  if (!isJsonObject(combine)) return {}
  const variables: JsonObject[] = []
  const types: (string | undefined)[] = []
  for (const [i, variable] of listOf(getOwn(combine, 'variables')).entries()) {
    const text = String(variable['fromFieldPath'])
    const moved = movePath(text, source, to)
    if (moved === undefined) {
      tell(`${path}.combine.variables[${i}].fromFieldPath`, noSuchField(text, to))
      return undefined
    }
    variables.push({ fromFieldPath: moved })
    types.push(typeAt(source, text))
  }
  const string = getOwn(combine, 'string')
  const fmt = isJsonObject(string) ? getOwn(string, 'fmt') : undefined
  if (typeof fmt !== 'string') return { combine: { ...combine, variables } } as JsonObject
  const format = to === 'crossplane' ? formatToCrossplane(fmt, 'fraction', types) : compileFormat(fmt).ok ? fmt : undefined
  if (format === undefined) {
    const printer = to === 'crossplane' ? 'function-patch-and-transform' : 'Weft'
    tell(`${path}.combine.string.fmt`, `${printer} cannot print ${JSON.stringify(fmt)} of these: the patch is left out`)
    return undefined
  }
  return { combine: { ...combine, variables, string: { ...(string as JsonObject), fmt: format } } } as JsonObject
}

/** The older way to say how to merge has names today. */
function movePolicy(policy: unknown): unknown {
  if (!isJsonObject(policy)) return undefined
  const { mergeOptions, ...rest } = policy
  if (!isJsonObject(mergeOptions)) return policy
  if (rest['toFieldPath'] !== undefined && rest['toFieldPath'] !== 'Replace') return rest
  const name = `${mergeOptions['keepMapValues'] === true ? '' : 'Force'}MergeObjects${mergeOptions['appendSlice'] === true ? 'AppendArrays' : ''}`
  return { ...rest, toFieldPath: name }
}

function typeAt(kind: ComposedKind | undefined, text: string): string | undefined {
  const path = parseFieldPath(text)
  if (!path.ok) return undefined
  const [root, ...rest] = path.value.segments
  // Names, uids, and what labels and annotations say.
  if (root === 'metadata') return rest[0] === 'generation' ? 'integer' : isMap(rest) ? 'object' : 'string'
  if (root !== 'spec') return undefined
  let schema: Schema | undefined = kind?.schema
  for (const segment of rest) {
    if (typeof segment === 'number') schema = schema?.items
    else if (typeof segment !== 'string') return undefined
    else schema = getOwn(schema?.properties ?? {}, segment) ?? additional(schema)
  }
  return schema?.type
}

const isMap = (path: readonly unknown[]): boolean => path.length === 1 && (path[0] === 'labels' || path[0] === 'annotations')

const additional = (schema: Schema | undefined): Schema | undefined =>
  isJsonObject(schema?.additionalProperties) ? (schema.additionalProperties as Schema) : undefined

export function textAt(object: JsonObject, key: string): string | undefined {
  const value = getOwn(object, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Patches with the sets that they name in their place. */
export function withoutSets(patches: readonly JsonObject[], sets: readonly JsonObject[]): readonly JsonObject[] {
  return patches.flatMap((patch) =>
    getOwn(patch, 'type') === 'PatchSet'
      ? listOf(getOwn(sets.find((set) => set['name'] === patch['patchSetName']) ?? {}, 'patches'))
      : [patch],
  )
}
