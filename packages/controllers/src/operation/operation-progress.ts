import { deepEqual } from '@weft/api'
import type { Struct } from '@weft/functions'
import type { AppliedRef, Operation } from './kinds.ts'

type Status = NonNullable<Operation['status']>

/**
 * What an Operation has brought about, over all its runs: a run that fails halfway has applied what it has applied, and nobody takes it back, so that
 * the status must name it.
 */
export class OperationProgress {
  #outputs: NonNullable<Status['pipeline']>
  #refs: readonly AppliedRef[]

  constructor({ status }: Operation) {
    this.#outputs = status?.pipeline ?? []
    this.#refs = status?.appliedResourceRefs ?? []
  }

  /** The latest answer of a step is the one that counts. */
  answered(step: string, output: Struct): void {
    const news = { step, output }
    const at = this.#outputs.findIndex((each) => each.step === step)
    this.#outputs = at === -1 ? [...this.#outputs, news] : this.#outputs.with(at, news)
  }

  applied(ref: AppliedRef): void {
    if (this.#refs.some((each) => deepEqual(each, ref))) return
    this.#refs = [...this.#refs, ref].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }

  get fields(): Pick<Status, 'pipeline' | 'appliedResourceRefs'> {
    return {
      ...(this.#outputs.length > 0 && { pipeline: this.#outputs }),
      ...(this.#refs.length > 0 && { appliedResourceRefs: this.#refs }),
    }
  }
}

const keyOf = ({ apiVersion, kind, namespace = '', name }: AppliedRef): string => apiVersion + kind + namespace + name
