import { Session } from 'node:inspector'
import type { Profiler } from 'node:inspector'

/**
 * Counts the work that some code does: how often its functions and blocks run, as V8's block coverage counts them, and how many items
 * the array methods that are not written in JavaScript go through. Unlike time, this is the same on a busy machine.
 */
export class WorkCounter {
  readonly #session = new Session()
  readonly #isCounted: (url: string) => boolean
  #native = 0
  #restore: (() => void)[] = []

  /** Only scripts whose address passes `isCounted` are looked at. */
  constructor(isCounted: (url: string) => boolean) {
    this.#isCounted = isCounted
  }

  start(): void {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    this.#countNative()
  }

  stop(): void {
    for (const restore of this.#restore) restore()
    this.#session.post('Profiler.stopPreciseCoverage')
    this.#session.disconnect()
  }

  async during(act: () => Promise<void>): Promise<number> {
    this.#take()
    this.#native = 0
    await act()
    const native = this.#native
    return native + this.#take()
  }

  #take(): number {
    let count = 0
    // In-process sessions answer at once.
    this.#session.post('Profiler.takePreciseCoverage', (failed, { result }) => {
      if (failed) throw failed
      for (const script of result) if (this.#isCounted(script.url)) count += countOf(script)
    })
    return count
  }

  #countNative(): void {
    const note = (length: number): void => {
      this.#native += length
    }
    const lists: Record<string, unknown> = Array.prototype as unknown as Record<string, unknown>
    for (const name of ['includes', 'indexOf', 'lastIndexOf', 'splice', 'shift', 'unshift', 'concat', 'slice', 'join'])
      this.#replace(
        lists,
        name,
        (native) =>
          function (this: unknown[], ...given: unknown[]) {
            note(this.length)
            return Reflect.apply(native, this, given) as unknown
          },
      )
    this.#replace(
      JSON as unknown as Record<string, unknown>,
      'stringify',
      (native) =>
        function (...given: unknown[]) {
          const text = Reflect.apply(native, JSON, given) as string | undefined
          note(text?.length ?? 0)
          return text
        },
    )
    this.#replace(
      JSON as unknown as Record<string, unknown>,
      'parse',
      (native) =>
        function (...given: unknown[]) {
          note(String(given[0]).length)
          return Reflect.apply(native, JSON, given) as unknown
        },
    )
  }

  #replace(target: Record<string, unknown>, name: string, wrap: (native: (...given: never[]) => unknown) => unknown): void {
    const native = target[name] as (...given: never[]) => unknown
    Object.defineProperty(target, name, { value: wrap(native), configurable: true, writable: true, enumerable: false })
    this.#restore.push(() => Object.defineProperty(target, name, { value: native, configurable: true, writable: true, enumerable: false }))
  }
}

function countOf({ functions }: Profiler.ScriptCoverage): number {
  let count = 0
  for (const { ranges } of functions) for (const range of ranges) count += range.count
  return count
}
