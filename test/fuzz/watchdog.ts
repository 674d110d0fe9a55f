import { Worker } from 'node:worker_threads'

/** Generous, for a machine under load: nothing that ends at all takes this long. */
const LIMIT_MS = 60_000
const NOTE_BYTES = 1024 * 1024

/** Ends the process, with the input that is to blame, when one input keeps the thread busy for very long. */
export class Watchdog {
  readonly #shared = new SharedArrayBuffer(8 + NOTE_BYTES)
  readonly #counters = new Int32Array(this.#shared, 0, 2)
  readonly #note = new Uint8Array(this.#shared, 8)
  readonly #encoder = new TextEncoder()
  readonly #worker = new Worker(SOURCE, { eval: true, workerData: { shared: this.#shared, limit: LIMIT_MS } })
  #what = ''

  begin(what: string): void {
    this.#what = what
    Atomics.add(this.#counters, 0, 1)
    this.note('')
  }

  note(input: string): void {
    const bytes = this.#encoder.encode(`${this.#what}\ninput: ${input}`).subarray(0, NOTE_BYTES)
    this.#note.set(bytes)
    Atomics.store(this.#counters, 1, bytes.length)
  }

  end(): void {
    Atomics.store(this.#counters, 1, 0)
  }

  stop(): void {
    void this.#worker.terminate()
  }
}

const SOURCE = `
const { workerData: { shared, limit } } = require('node:worker_threads')
const counters = new Int32Array(shared, 0, 2)
let seen = -1
let since = Date.now()
setInterval(() => {
  const round = Atomics.load(counters, 0)
  const length = Atomics.load(counters, 1)
  if (round !== seen || length === 0) {
    seen = round
    since = Date.now()
  } else if (Date.now() - since > limit) {
    require('node:fs').writeSync(1, 'fuzz: ' + Buffer.from(new Uint8Array(shared, 8, length)).toString() + '\\n')
    process.kill(process.pid, 'SIGKILL')
  }
}, 1000)
`
