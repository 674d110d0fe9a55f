import { deepEqual, type KubeObject } from '@weft/api'
import type { MutationRound } from './admission.ts'

/**
 * Who has to be asked again: webhooks, or policies. One with reinvocationPolicy IfNeeded is, once, when something changed
 * the object after it: a later one, or another plug-in in the second round. Nobody is asked for the first time in that round.
 */
export class Reinvocation {
  readonly #wanted = new Set<string>()
  #invoked: string[] = []
  #output: KubeObject | undefined

  static in(round: MutationRound, plugin: string): Reinvocation {
    let state = round.notes.get(plugin) as Reinvocation | undefined
    if (state === undefined) round.notes.set(plugin, (state = new Reinvocation()))
    return state
  }

  wants(id: string): boolean {
    return this.#wanted.has(id)
  }

  /** The object changed: all that were invoked before are due. */
  changed(): void {
    for (const id of this.#invoked) this.#wanted.add(id)
    this.#invoked = []
  }

  invoked(id: string): void {
    this.#invoked.push(id)
  }

  /** The second round begins with this object: did others change what these left? */
  observe(object: KubeObject | undefined): void {
    if (!deepEqual(object, this.#output)) this.changed()
  }

  /** What these leave behind. */
  remember(object: KubeObject | undefined): void {
    this.#output = object
  }
}
