import type { Client } from './client.ts'
import { http1 } from './http1.ts'
import { http2 } from './http2.ts'
import type { LoadResult, RequestLoad } from './load.ts'
import { Measure } from './measure.ts'

/** Closed loop: as many requests in flight as there are clients. */
export async function runRequests(load: RequestLoad): Promise<LoadResult> {
  const connector = load.protocol === 'http1' ? http1() : http2()
  const clients: Client[] = []
  for (let i = 0; i < load.clients; i++) clients.push(await connector.connect(load.target, load.request))
  const measure = new Measure(load.target)
  const run = new Run(load, measure)
  await Promise.all(clients.map((client, index) => run.drive(client, index)))
  for (const client of clients) client.close()
  connector.close()
  return measure.result()
}

class Run {
  readonly #load: RequestLoad
  readonly #measure: Measure
  #sequence: number
  #stopped = false

  constructor(load: RequestLoad, measure: Measure) {
    this.#load = load
    this.#measure = measure
    this.#sequence = load.firstSequence
    if ('requests' in load.until) return
    const { warmUpMs, durationMs } = load.until
    setTimeout(() => measure.start(), warmUpMs)
    setTimeout(() => {
      measure.stop()
      this.#stopped = true
    }, warmUpMs + durationMs)
  }

  drive(client: Client, index: number): Promise<void> {
    const { until, clients, objects, firstSequence } = this.#load
    const last = 'requests' in until ? firstSequence + until.requests : Infinity
    const own = Math.max(1, Math.floor(objects / clients))
    return new Promise((resolve) => {
      let turn = 0
      const next = (): void => {
        if (this.#stopped || this.#sequence >= last) return resolve()
        const begun = performance.now()
        client.send(this.#sequence++, index + clients * (turn++ % own), (status, bytes) => {
          this.#measure.add(status, bytes, performance.now() - begun)
          // Without a connection there is nothing to go on with; the failure is counted.
          if (status === 0) resolve()
          else next()
        })
      }
      next()
    })
  }
}
