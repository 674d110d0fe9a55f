import { getOwn, isJsonObject } from '@weft/api'

/** A patch that does not apply to this document. The reason stays on the server. */
export class DoesNotApply extends Error {
  override readonly name = 'DoesNotApply'
}

/** A `test` of the patch failed: its author wants it to be dropped where it does not fit. */
export class TestFailed extends DoesNotApply {}

/** The path leads through something that is not there, or that nothing can be inside. */
export class LeadsNowhere extends DoesNotApply {}

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
  throw new LeadsNowhere(`nothing can be inside ${typeof container}`)
}
