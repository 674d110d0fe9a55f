import { type FieldPath, formatFieldPath } from '../fieldpath/path.ts'
import { expandWildcards, fieldOf, readField } from '../fieldpath/read.ts'
import { writeField } from '../fieldpath/write.ts'
import { type CompositionError, failure, type Result, success } from '../result.ts'
import { applyTransforms } from '../transforms/parse.ts'
import { mergeValues } from './merge.ts'
import { describeInput, type Patch, type PatchSide } from './patch.ts'

/** The objects at hand. One that is absent (an environment not given, a member not created yet) has no fields. */
export type PatchObjects = { readonly [side in PatchSide]?: unknown }

/** Which patch wrote a path; the last entry for a path is the one whose value stands. */
export interface Provenance {
  /** Concrete: wildcards are expanded. */
  readonly path: string
  readonly patch: Patch
}

export interface SkippedPatch {
  readonly patch: Patch
  /** The path that was not there. */
  readonly missing: string
}

export interface Patched<T> {
  readonly object: T
  readonly written: readonly Provenance[]
  readonly skipped: readonly SkippedPatch[]
}

/**
 * Applies, in order, those of `patches` that write to `side`, and answers the new object of that side; the inputs are never touched.
 * The others are left out, so one list serves both directions: `composed` before a member is applied, `composite` after it was observed.
 * The first patch that fails ends it: a half-patched object must not be applied.
 */
export function applyPatches<T>(patches: readonly Patch[], side: PatchSide, objects: PatchObjects, target: T): Result<Patched<T>> {
  let object = target
  const written: Provenance[] = []
  const skipped: SkippedPatch[] = []
  for (const patch of patches) {
    if (patch.to !== side) continue
    const input = readInput(patch, objects[patch.from])
    if (!input.ok) return failed(patch, input.error)
    if ('missing' in input.value) {
      if (patch.required) return required(patch, input.value.missing)
      skipped.push({ patch, missing: input.value.missing })
      continue
    }
    const value = applyTransforms(patch.transforms, input.value.value)
    if (!value.ok) return failed(patch, value.error)
    const result = writeTarget(object, patch, value.value, written)
    if (!result.ok) return failed(patch, result.error)
    object = result.value
  }
  return success({ object, written, skipped })
}

type Input = { readonly value: unknown } | { readonly missing: string }

/** An explicit null is nothing to copy: in Kubernetes it means unset. */
function readInput({ input }: Patch, source: unknown): Result<Input> {
  if (input.kind === 'field') return readOne(source, input.path)
  const values: unknown[] = []
  for (const variable of input.variables) {
    const one = readOne(source, variable)
    if (!one.ok || 'missing' in one.value) return one
    values.push(one.value.value)
  }
  const text = input.format.render(values)
  return text.ok ? success({ value: text.value }) : text
}

function readOne(source: unknown, path: FieldPath): Result<Input> {
  const found = readField(source, path)
  if (found.ok) return success(found.value === null ? { missing: path.text } : { value: found.value })
  return found.error.code === 'FieldNotFound' ? success({ missing: path.text }) : found
}

function writeTarget<T>(object: T, patch: Patch, value: unknown, written: Provenance[]): Result<T> {
  const { toFieldPath } = patch
  if (!toFieldPath.hasWildcard) {
    written.push({ path: toFieldPath.text, patch })
    return writeOne(object, toFieldPath, value, patch)
  }
  const places = expandWildcards(object, toFieldPath)
  if (!places.ok) return places
  if (places.value.length === 0)
    return failure('FieldNotFound', `${toFieldPath.text}: there is nothing that [*] could stand for`, { path: toFieldPath.text })
  let result = object
  for (const place of places.value) {
    const next = writeOne(result, place, value, patch)
    if (!next.ok) return next
    result = next.value
    written.push({ path: formatFieldPath(place.segments), patch })
  }
  return success(result)
}

const writeOne = <T>(object: T, path: FieldPath, value: unknown, { merge }: Patch): Result<T> =>
  writeField(object, path, merge === undefined ? value : mergeValues(fieldOf(object, path), value, merge))

const failed = (patch: Patch, cause: CompositionError) =>
  failure('PatchFailed', `${patch.origin}: cannot patch ${describeInput(patch.input)} to ${patch.toFieldPath.text}: ${cause.message}`, {
    path: patch.toFieldPath.text,
    cause,
  })

const required = (patch: Patch, missing: string) =>
  failure(
    'RequiredFieldMissing',
    `${patch.origin}: the ${patch.from} has no ${missing}, which this patch requires (policy.fromFieldPath: Required)`,
    {
      path: missing,
    },
  )
