import type { RequestTemplate, Target } from './load.ts'

/** One request at a time over a kept connection. */
export interface Client {
  /** Sends the template's request with these numbers; `done` is called when the whole answer is there. */
  send(sequence: number, object: number, done: (status: number, bytes: number) => void): void
  close(): void
}

/** One watch. */
export interface Watcher {
  close(): void
}

/** How a protocol carries clients and watches; a connection pool where the protocol shares connections. */
export interface Connector {
  connect(target: Target, request: RequestTemplate): Promise<Client>
  /** Resolves when the answer's head is there. `onEvents` is told how many lines arrived, and their bytes. */
  watch(target: Target, path: string, onEvents: (events: number, bytes: number) => void): Promise<Watcher>
  close(): void
}

const NEWLINE = 10

/** Every event ends with a newline, and JSON strings hold none. */
export function countLines(data: Buffer): number {
  let lines = 0
  for (let at = data.indexOf(NEWLINE); at >= 0; at = data.indexOf(NEWLINE, at + 1)) lines++
  return lines
}
