import type { KubeList, KubeObject } from '@weft/api'
import type { WatchEvent, WatchOptions } from '../transport/transport.ts'
import type { InformerSource } from './informer.ts'

/** A server played by a test: lists are queued, watches are fed by hand. */
export class FakeSource implements InformerSource {
  readonly lists: (KubeList | Error)[] = []
  readonly watches: FakeWatch[] = []

  get last(): FakeWatch {
    return this.watches.at(-1) as FakeWatch
  }

  get openWatches(): number {
    return this.watches.filter(({ closed }) => !closed).length
  }

  async list(): Promise<KubeList> {
    // A test that has just started the informer still gets to say what the answer is.
    await Promise.resolve()
    const next = this.lists.shift() ?? new Error('no list was expected')
    if (next instanceof Error) throw next
    return next
  }

  watch({ signal, ...options }: WatchOptions & { readonly signal: AbortSignal }): AsyncIterable<readonly WatchEvent<KubeObject>[]> {
    const watch = new FakeWatch(options)
    this.watches.push(watch)
    signal.addEventListener('abort', () => watch.fail(signal.reason as Error), { once: true })
    return watch.events()
  }
}

export class FakeWatch {
  readonly options: WatchOptions
  closed = false
  #pending: WatchEvent[] = []
  #error: Error | undefined
  #ended = false
  #wake: () => void = () => undefined

  constructor(options: WatchOptions) {
    this.options = options
  }

  send(...events: WatchEvent[]): void {
    this.#pending.push(...events)
    this.#wake()
  }

  fail(error: Error): void {
    this.#error ??= error
    this.#wake()
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  async *events(): AsyncGenerator<readonly WatchEvent[]> {
    try {
      for (;;) {
        if (this.#pending.length > 0) yield this.#pending.splice(0)
        else if (this.#error !== undefined) throw this.#error
        else if (this.#ended) return
        else await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      this.closed = true
    }
  }
}
