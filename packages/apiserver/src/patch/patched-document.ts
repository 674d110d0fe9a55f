import { isJsonObject, setOwn } from '@weft/api'
import { DoesNotApply, LeadsNowhere, listIndex, valueAt } from './json-pointer.ts'

/**
 * A document that a patch changes in many steps. What it was made from is never written to: a container is copied the first time that
 * something below it changes, and then once only, however many operations follow.
 */
export class PatchedDocument {
  root: unknown
  /** Items that insertions and removals have pushed aside so far. */
  moved = 0
  /** Containers made here, in one place of the document only: these may be written to. */
  readonly #own = new Set<object>()

  constructor(document: unknown) {
    this.root = document
  }

  /** Lets `change` write to the container of the last step. */
  change(steps: readonly string[], change: (container: unknown[] | Record<string, unknown>, step: string) => void): void {
    const last = steps.at(-1)
    if (last === undefined) throw new DoesNotApply('no steps')
    let container = this.#owned(this.root)
    this.root = container
    for (let i = 0; i < steps.length - 1; i++) {
      const step = steps[i] as string
      const child = this.#owned(valueAt(container, step))
      if (Array.isArray(container)) container[listIndex(step, container.length)] = child
      else setOwn(container, step, child)
      container = child
    }
    change(container, last)
  }

  /** `value` is about to stand in a second place: neither may be written to any more. */
  share(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    this.#own.delete(value)
    for (const inner of Object.values(value)) this.share(inner)
  }

  #owned(container: unknown): unknown[] | Record<string, unknown> {
    const isContainer = Array.isArray(container) || isJsonObject(container)
    if (!isContainer) throw new LeadsNowhere('the path leads through a value that is not a container')
    if (this.#own.has(container)) return container as unknown[] | Record<string, unknown>
    const copy = Array.isArray(container) ? [...(container as readonly unknown[])] : { ...container }
    this.#own.add(copy)
    return copy
  }
}
