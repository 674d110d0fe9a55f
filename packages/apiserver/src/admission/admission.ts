import type { KubeObject } from '@weft/api'
import type { Admission, AdmissionRequest, Settle } from '../registry/admission-port.ts'

export type { AdmissionRequest, Settle } from '../registry/admission-port.ts'

/**
 * One step of admission. Plug-ins run in the order of the chain: all `mutate` steps, then the object is validated,
 * then all `validate` steps. A plug-in refuses by throwing a StatusError. Neither step may write the object it is given;
 * `mutate` answers the object to go on with (the same reference for "no change").
 * A step that answers without a promise costs the hot path nothing.
 */
export interface AdmissionPlugin {
  readonly name: string
  mutate?(request: AdmissionRequest, round: MutationRound): KubeObject | undefined | Promise<KubeObject | undefined>
  validate?(request: AdmissionRequest): Validated | Promise<Validated>
}

// oxlint-disable-next-line typescript/no-invalid-void-type -- a plug-in that only refuses answers nothing
type Validated = Settle | undefined | void

/**
 * One request's way through the `mutate` steps. A plug-in whose change others may want to react to asks for the chain
 * to run again; it does so once at most, however many ask.
 */
export interface MutationRound {
  /** The chain runs for the second time. */
  readonly again: boolean
  repeat(): void
  /** What plug-ins keep from the first run for the second, by their name. */
  readonly notes: Map<string, unknown>
}

export function createAdmission(plugins: readonly AdmissionPlugin[]): Admission {
  const mutating = plugins.filter(({ mutate }) => mutate !== undefined)
  const validating = plugins.filter(({ validate }) => validate !== undefined)
  return {
    async mutate(request) {
      const round = new Round()
      let object = request.object
      for (;;) {
        for (const plugin of mutating) {
          const answer = plugin.mutate?.(object === request.object || object === undefined ? request : { ...request, object }, round)
          object = answer instanceof Promise ? await answer : answer
        }
        if (round.again || !round.repeated) return object
        round.again = true
      }
    },
    async validate(request) {
      let settle: Settle | undefined
      try {
        for (const plugin of validating) {
          const answer = plugin.validate?.(request)
          const own = answer instanceof Promise ? await answer : answer
          if (own !== undefined) settle = both(settle, own)
        }
      } catch (error) {
        settle?.()
        throw error
      }
      return settle
    },
  }
}

const both = (first: Settle | undefined, second: Settle): Settle =>
  first === undefined
    ? second
    : () => {
        first()
        second()
      }

class Round implements MutationRound {
  again = false
  repeated = false
  #notes: Map<string, unknown> | undefined

  get notes(): Map<string, unknown> {
    return (this.#notes ??= new Map())
  }

  repeat(): void {
    this.repeated = true
  }
}
