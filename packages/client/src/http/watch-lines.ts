import { isJsonObject, type KubeObject, parseJson, type Status, StatusError } from '@weft/api'
import { ConnectionError } from '../transport/errors.ts'
import type { WatchEvent } from '../transport/transport.ts'

/** One event is one object; no server stores one near this size. */
const MAX_LINE_CHARS = 32 * 1024 * 1024

const LONG_NUMBER = /\d{16}/

/** JSON of a server: exact where 64-bit integers may be, the engine's fast parser everywhere else. */
export function parseAnswer(text: string): unknown {
  return LONG_NUMBER.test(text) ? parseJson(text).value : JSON.parse(text)
}

/** Turns chunks of newline-delimited JSON into the events they complete. Characters and lines may be cut anywhere. */
export class WatchLines {
  readonly #decoder = new TextDecoder()
  #rest = ''

  push(chunk: Uint8Array): WatchEvent[] {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n')
    this.#rest = text.slice(end + 1)
    if (this.#rest.length > MAX_LINE_CHARS)
      throw new ConnectionError('the server sent a watch event that is too long', { mayHaveTakenEffect: false })
    if (end < 0) return []
    return text
      .slice(0, end)
      .split('\n')
      .filter((line) => line !== '')
      .map(toEvent)
  }

  /** A watch that ends within an event was cut off. */
  end(): void {
    if (this.#rest.trim() !== '') throw new ConnectionError('the watch was cut off within an event', { mayHaveTakenEffect: false })
  }
}

function toEvent(line: string): WatchEvent {
  let event: unknown
  try {
    event = parseAnswer(line)
  } catch (cause) {
    throw new ConnectionError('the server sent a watch event that is not JSON', { mayHaveTakenEffect: false, cause })
  }
  const { type, object } = event as { type?: unknown; object?: unknown }
  if (type === 'ERROR') throw new StatusError(object as Status)
  if (typeof type !== 'string' || !isJsonObject(object))
    throw new ConnectionError('the server sent something that is not a watch event', { mayHaveTakenEffect: false })
  return { type: type as WatchEvent['type'], object: object as unknown as KubeObject }
}
