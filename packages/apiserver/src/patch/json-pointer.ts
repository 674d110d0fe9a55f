import { getOwn, isJsonObject, setOwn } from '@weft/api'

/** A patch that does not apply to this document. The reason stays on the server. */
export class DoesNotApply extends Error {
  override readonly name = 'DoesNotApply'
}

/**
 * The steps of a JSON pointer. What precedes the first slash is ignored, and `''`, which is the whole document, has no
 * steps: undefined, because only few operations allow it.
 */
export function parsePointer(pointer: string): readonly string[] | undefined {
  const [, ...steps] = pointer.split('/')
  return steps.length === 0 ? undefined : steps.map((step) => step.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')))
}

const integer = /^[+-]?\d+$/

/** The position that a step names in a list; negative counts from the end. `length` is the first one out of range. */
export function listIndex(step: string, length: number): number {
  if (!integer.test(step)) throw new DoesNotApply(`not an index: ${step}`)
  const number = Number(step)
  const index = number < 0 ? number + length : number
  if (index < 0 || index >= length) throw new DoesNotApply(`index out of range: ${step}`)
  return index
}

/** Undefined when an object has no such member. */
export function valueAt(container: unknown, step: string): unknown {
  if (Array.isArray(container)) return (container as readonly unknown[])[listIndex(step, container.length)]
  if (isJsonObject(container)) return getOwn(container, step)
  throw new DoesNotApply(`nothing can be inside ${typeof container}`)
}

/**
 * The document with `change` made to the container of the last step; all containers on the way are copied, the rest is
 * shared. `change` gets a copy that it may write to.
 */
export function changeAt(
  document: unknown,
  steps: readonly string[],
  change: (container: unknown[] | Record<string, unknown>, step: string) => void,
): unknown {
  const [step, ...rest] = steps
  if (step === undefined) throw new DoesNotApply('no steps')
  const copy = copyOf(document)
  if (rest.length === 0) change(copy, step)
  else {
    const child = changeAt(valueAt(copy, step), rest, change)
    if (Array.isArray(copy)) copy[listIndex(step, copy.length)] = child
    else setOwn(copy, step, child)
  }
  return copy
}

function copyOf(container: unknown): unknown[] | Record<string, unknown> {
  if (Array.isArray(container)) return [...(container as readonly unknown[])]
  if (isJsonObject(container)) return { ...container }
  throw new DoesNotApply('the path leads through a value that is not a container')
}
