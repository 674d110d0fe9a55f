import type { Credentials } from '../credentials.ts'
import { Connection, Disconnected } from './connection.ts'
import type { Gate } from './gate.ts'
import { configMaps } from './kinds.ts'
import type { Verdict } from './verdict.ts'

const NAME = 'shared-counter'
const PATH = `${configMaps.path}/${NAME}`

/** What all counting clients together know: the counter is at least `acknowledged` and at most that plus `unknown`. */
export interface Tally {
  acknowledged: number
  unknown: number
}

export async function createCounter(connection: Connection): Promise<void> {
  await connection.call('POST', configMaps.path, configMaps.make(NAME, 0, 10))
}

export async function readCounter(connection: Connection): Promise<number> {
  return configMaps.valueOf((await connection.call('GET', PATH)).body)
}

/** Several of these count in one object, each under the resourceVersion it read: an increment must not get lost. */
export async function count(parts: {
  credentials: Credentials
  gate: Gate
  verdict: Verdict
  tally: Tally
  stopped: () => boolean
}): Promise<void> {
  const { gate, verdict, tally } = parts
  const connection = new Connection(parts.credentials)
  for (;;) {
    await gate.passage()
    if (parts.stopped()) break
    let sent = false
    try {
      const { body } = await connection.call('GET', PATH)
      sent = true
      const next = configMaps.make(NAME, configMaps.valueOf(body) + 1, 10, body.metadata.resourceVersion)
      const { status, body: written } = await connection.call('PUT', PATH, next)
      if (status === 200) {
        tally.acknowledged++
        verdict.acknowledged(configMaps, written.metadata.resourceVersion)
      } else if (status !== 409) verdict.wrong(`counter: status ${status}: ${written.message}`)
    } catch (error) {
      if (!(error instanceof Disconnected)) throw error
      if (sent && error.outcome === 'unknown') tally.unknown++
      if (gate.isOpen) verdict.wrong(`counter: ${error.message}, though nobody killed the server`)
    }
  }
  connection.close()
}
