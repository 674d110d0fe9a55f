import { FunctionError } from './function-error.ts'

export interface TurnOptions {
  /** Of the function that is waited for, in messages. */
  readonly name: string
  /** When it is too late, in milliseconds since 1970. */
  readonly end: number
  readonly signal?: AbortSignal | undefined
  /** See RunFunctionOptions. */
  readonly caller?: string | undefined
}

interface Waiting {
  readonly caller: string | undefined
  readonly enter: () => void
}

/**
 * Turns at a function that has so many calls at a time; those that come meanwhile wait. Of callers with a name each has half of the turns at most, so that
 * nobody's slow questions take all of them. Whoever has fewest is next, and of these whoever waits longest.
 */
export class Turns {
  readonly #most: number
  readonly #ofOne: number
  /** By caller; calls without one are filed under undefined. */
  readonly #underWay = new Map<string | undefined, number>()
  readonly #waiting: Waiting[] = []
  #taken = 0

  constructor(most: number) {
    this.#most = most
    this.#ofOne = Math.max(1, Math.floor(most / 2))
  }

  get isIdle(): boolean {
    return this.#taken === 0
  }

  get isAwaited(): boolean {
    return this.#waiting.length > 0
  }

  /**
   * Resolves with how to give the turn back. Rejects with DeadlineExceeded when it does not come in time, with Cancelled when the caller gives up: no turn
   * is lost by that.
   */
  async enter(options: TurnOptions): Promise<() => void> {
    const { caller } = options
    if (this.#mayEnter(caller)) this.#take(caller)
    else await this.#wait(options)
    return () => this.#giveBack(caller)
  }

  /** The turn has been taken for whoever waited. */
  #wait({ name, end, signal, caller }: TurnOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (error: FunctionError): void => {
        const at = this.#waiting.indexOf(waiting)
        if (at >= 0) this.#waiting.splice(at, 1)
        stop()
        reject(error)
      }
      const late = setTimeout(
        () => leave(new FunctionError('DeadlineExceeded', `function ${name} is busy with other calls, and had no time for this one`)),
        Math.max(end - Date.now(), 0),
      )
      const givenUp = (): void => leave(new FunctionError('Cancelled', `function ${name} was not called: the caller gave up`))
      const stop = (): void => {
        clearTimeout(late)
        signal?.removeEventListener('abort', givenUp)
      }
      const enter = (): void => {
        stop()
        resolve()
      }
      const waiting: Waiting = { caller, enter }
      this.#waiting.push(waiting)
      if (signal?.aborted === true) return givenUp()
      signal?.addEventListener('abort', givenUp, { once: true })
    })
  }

  #giveBack(caller: string | undefined): void {
    this.#taken--
    const left = this.#of(caller) - 1
    if (left === 0) this.#underWay.delete(caller)
    else this.#underWay.set(caller, left)
    let next: Waiting | undefined
    for (const each of this.#waiting)
      if (this.#mayEnter(each.caller) && (next === undefined || this.#of(each.caller) < this.#of(next.caller))) next = each
    if (next === undefined) return
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#take(next.caller)
    next.enter()
  }

  #take(caller: string | undefined): void {
    this.#taken++
    this.#underWay.set(caller, this.#of(caller) + 1)
  }

  #mayEnter(caller: string | undefined): boolean {
    return this.#taken < this.#most && (caller === undefined || this.#of(caller) < this.#ofOne)
  }

  #of(caller: string | undefined): number {
    return this.#underWay.get(caller) ?? 0
  }
}
