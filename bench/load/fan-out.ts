import type { Client, Connector, Watcher } from './client.ts'
import { http1 } from './http1.ts'
import { http2 } from './http2.ts'
import type { FanOutLoad, LoadResult } from './load.ts'
import { Measure } from './measure.ts'

const OPENING = 50

/**
 * Rounds: some writes at once, then wait until every watcher has seen them all. Writing on without waiting would measure
 * how soon a server gives up on slow watchers.
 */
export async function runFanOut(load: FanOutLoad): Promise<LoadResult> {
  const connector = load.protocol === 'http1' ? http1() : http2()
  const arrivals = new Arrivals()
  const watchers = await openWatchers(load, connector, arrivals)
  const writers: Client[] = []
  const writes = http1()
  for (let i = 0; i < load.writesPerRound; i++) writers.push(await writes.connect(load.target, load.write))
  const measure = new Measure(load.target)
  const warm = performance.now() + load.warmUpMs
  let started = false
  let sequence = 0
  for (const end = warm + load.durationMs; performance.now() < end;) {
    if (!started && performance.now() >= warm) {
      started = true
      measure.start()
    }
    const expected = load.writesPerRound * load.watchers
    const begun = performance.now()
    const seen = arrivals.expect(expected)
    await Promise.all(writers.map((writer, i) => write(writer, sequence++, i % load.objects)))
    const bytes = await seen
    measure.add(200, bytes, performance.now() - begun, expected)
  }
  measure.stop()
  for (const each of [...watchers, ...writers]) each.close()
  connector.close()
  return measure.result()
}

async function openWatchers(load: FanOutLoad, connector: Connector, arrivals: Arrivals): Promise<Watcher[]> {
  const watchers: Watcher[] = []
  while (watchers.length < load.watchers) {
    const some = Array.from({ length: Math.min(OPENING, load.watchers - watchers.length) }, () =>
      connector.watch(load.target, load.watchPath, (events, bytes) => arrivals.add(events, bytes)),
    )
    watchers.push(...(await Promise.all(some)))
  }
  return watchers
}

function write(writer: Client, sequence: number, object: number): Promise<void> {
  return new Promise((resolve, reject) =>
    writer.send(sequence, object, (status) => (status < 300 && status > 0 ? resolve() : reject(new Error(`write: status ${status}`)))),
  )
}

/** Events of all watchers together: a round is over when as many came as there are writes times watchers. */
class Arrivals {
  #missing = 0
  #bytes = 0
  #resolve: ((bytes: number) => void) | undefined

  expect(events: number): Promise<number> {
    this.#missing = events
    this.#bytes = 0
    return new Promise((resolve) => (this.#resolve = resolve))
  }

  add(events: number, bytes: number): void {
    this.#missing -= events
    this.#bytes += bytes
    if (this.#missing === 0) this.#resolve?.(this.#bytes)
  }
}
