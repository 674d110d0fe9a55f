import { FunctionError } from './function-error.ts'

export interface WaitOptions {
  /** Of the function that is waited for, in messages. */
  readonly name: string
  /** What it is busy with: `64 calls`. */
  readonly busyWith: string
  /** When it is too late, in milliseconds since 1970. */
  readonly end: number
  readonly signal?: AbortSignal | undefined
}

/** Calls that wait for their turn at a function that has as many as it is given at a time. First come, first served. */
export class WaitingLine<Turn> {
  readonly #waiting: ((turn: Turn) => void)[] = []

  /** Resolves with a turn. Rejects with DeadlineExceeded when it does not come in time, with Cancelled when the caller gives up: no turn is lost by that. */
  wait({ name, busyWith, end, signal }: WaitOptions): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const leave = (error: FunctionError): void => {
        const at = this.#waiting.indexOf(enter)
        if (at >= 0) this.#waiting.splice(at, 1)
        stop()
        reject(error)
      }
      const late = setTimeout(
        () => leave(new FunctionError('DeadlineExceeded', `function ${name} is busy with ${busyWith}, and had no time for this one`)),
        Math.max(end - Date.now(), 0),
      )
      const givenUp = (): void => leave(new FunctionError('Cancelled', `function ${name} was not called: the caller gave up`))
      const stop = (): void => {
        clearTimeout(late)
        signal?.removeEventListener('abort', givenUp)
      }
      const enter = (turn: Turn): void => {
        stop()
        resolve(turn)
      }
      this.#waiting.push(enter)
      if (signal?.aborted === true) return givenUp()
      signal?.addEventListener('abort', givenUp, { once: true })
    })
  }

  /** Whoever waits longest, out of the line: to be given the turn. Undefined: nobody waits. */
  next(): ((turn: Turn) => void) | undefined {
    return this.#waiting.shift()
  }
}
