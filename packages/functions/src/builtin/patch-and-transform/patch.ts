import { expandWildcards, getValue } from '../../go/fieldpath/read.ts'
import { GoError, must, wrapping } from '../../go/go-error.ts'
import { throughJson } from '../../go/json.ts'
import type { MergeOptions } from '../../go/merge.ts'
import type { GoObject } from '../../go/value.ts'
import { type Patch, patchType, targetPath } from './input.ts'
import type { Target } from './target.ts'
import { applyTransforms, combineStrings } from './transform.ts'

/** Between what the patches of a template may read and write. `observed` is undefined while the resource does not exist. */
export interface Sides {
  readonly compositeObserved: GoObject
  readonly compositeDesired: Target
  readonly environment: Target
  readonly observed: GoObject | undefined
  readonly desired: Target
}

/** Does it write to a composed resource, rather than read from one? */
export const writesComposed = (type: string): boolean =>
  ['FromCompositeFieldPath', 'CombineFromComposite', 'FromEnvironmentFieldPath', 'CombineFromEnvironment'].includes(type)

export function applyComposedPatch(patch: Patch, sides: Sides): void {
  const type = patchType(patch)
  const { observed } = sides
  if (writesComposed(type)) {
    const from = type.endsWith('FromComposite') || type.startsWith('FromComposite') ? sides.compositeObserved : sides.environment.object
    copyOrCombine(patch, from, sides.desired)
    return
  }
  // There is nothing to read yet: it will be patched once it exists.
  if (observed === undefined) return
  if (type === 'ToCompositeFieldPath' || type === 'CombineToComposite') copyOrCombine(patch, observed, sides.compositeDesired)
  else if (type === 'ToEnvironmentFieldPath' || type === 'CombineToEnvironment') copyOrCombine(patch, observed, sides.environment)
}

/** Environment patches go from the observed composite to the environment, or from there to the desired composite. */
export function applyEnvironmentPatch(patch: Patch, sides: Omit<Sides, 'observed' | 'desired'>): void {
  switch (patchType(patch)) {
    case 'FromCompositeFieldPath':
    case 'ToEnvironmentFieldPath':
    case 'CombineFromComposite':
      return copyOrCombine(patch, sides.compositeObserved, sides.environment)
    default:
      return copyOrCombine(patch, sides.environment.object, sides.compositeDesired)
  }
}

export const copyOrCombine = (patch: Patch, from: GoObject, to: Target): void =>
  patchType(patch).startsWith('Combine') ? combine(patch, from, to) : copy(patch, from, to)

function copy(patch: Patch, from: GoObject, to: Target): void {
  const found = getValue(from, patch.fromFieldPath ?? '')
  const transformed = applyTransforms(patch.transforms, found)
  const value = wrapping('cannot marshal value to JSON', () => must(throughJson(transformed)))
  const options = mergeOptions(patch)
  const path = targetPath(patch)
  if (!path.includes('[*]')) return wrapping('cannot patch to object', () => to.write([path], value, options))
  const paths = expandWildcards(to.object, path)
  if (paths.length === 0) throw new GoError(`cannot expand ToFieldPath ${path}`)
  to.write(paths, value, options)
}

function combine(patch: Patch, from: GoObject, to: Target): void {
  const { combine } = patch
  // In Go this ends the program.
  if (combine === undefined) throw new GoError(`combine must be set for patch type ${patchType(patch)}`)
  const values = (combine.variables ?? []).map(({ fromFieldPath = '' }) => getValue(from, fromFieldPath))
  const { strategy = '', string } = combine
  if (strategy !== 'string') throw new GoError(`combine strategy ${strategy} is not supported`)
  if (string === undefined) throw new GoError(`given combine strategy ${strategy} requires configuration`)
  const value = applyTransforms(patch.transforms, combineStrings(string.fmt ?? '', values))
  const options = mergeOptions(patch)
  wrapping('cannot patch to object', () => to.write([targetPath(patch)], value, options))
}

function mergeOptions({ policy }: Patch): MergeOptions | undefined {
  switch (policy?.toFieldPath ?? 'Replace') {
    case 'Replace':
      return undefined
    case 'MergeObjects':
    case 'MergeObject':
      return { keepValues: true, appendSlices: false }
    case 'MergeObjectsAppendArrays':
      return { keepValues: true, appendSlices: true }
    case 'ForceMergeObjects':
      return { keepValues: false, appendSlices: false }
    case 'ForceMergeObjectsAppendArrays':
    case 'AppendArray':
      return { keepValues: false, appendSlices: true }
    default:
      throw new GoError(`invalid patch policy ${policy?.toFieldPath}`)
  }
}
