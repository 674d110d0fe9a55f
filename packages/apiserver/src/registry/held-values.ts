import type { KubeObject } from '@weft/api'
import type { RegistryServices, WriteContext } from './services.ts'

/** What one write was handed out of what only one object can have. Most kinds get nothing, and pay nothing. */
export class HeldValues {
  #settle: (() => void) | undefined

  /** The object with what the server gives it. Throws Invalid. */
  give(
    { catalog, random }: RegistryServices,
    { type, subresource, dryRun }: WriteContext,
    next: KubeObject,
    live?: KubeObject,
  ): KubeObject {
    if (type.allocation === undefined || subresource !== '') return next
    const allocated = type.allocation.begin(next, live, { store: catalog.store(type), dryRun, random })
    this.#settle = () => allocated.settle()
    return allocated.object
  }

  /** Must be called when the write is over, one way or the other. */
  settle(): void {
    this.#settle?.()
    this.#settle = undefined
  }
}
