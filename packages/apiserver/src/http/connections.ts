import type { Socket } from 'node:net'
import { EXCEPTION_MARK } from '../endpoints/request-exception.ts'
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2'

/** A client that does not read must not hold up the end of the process for long. */
const WATCH_GRACE_MS = 1000

/** Open connections, requests and watches, so that a stop can be orderly. */
export class Connections {
  readonly #sockets = new Set<Socket>()
  readonly #sessions = new Set<ServerHttp2Session>()
  readonly #watches = new Set<() => void>()
  readonly #requests = new Counter()
  readonly #openWatches = new Counter()
  readonly #onError: (what: string, error: unknown) => void
  #draining = false

  constructor(onError: (what: string, error: unknown) => void) {
    this.#onError = onError
  }

  get draining(): boolean {
    return this.#draining
  }

  /** An answer could not be sent, and it is not the client's doing. */
  report(error: unknown, method: string, url: string): void {
    const path = url.split('?', 1)[0] ?? ''
    this.#onError(
      'answer',
      `${EXCEPTION_MARK}: ${method} ${path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  }

  add(socket: Socket): void {
    socket.setNoDelay(true)
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  addSession(session: ServerHttp2Session): void {
    this.#sessions.add(session)
    session.once('close', () => this.#sessions.delete(session))
  }

  /** A request begins. The function it answers is to be called when the last byte of the answer has left or the client is gone. */
  begin(): () => void {
    return this.#requests.enter()
  }

  /** A watch begins; `end` ends it in order. The function it answers is to be called when it is over. */
  beginWatch(end: () => void): () => void {
    this.#watches.add(end)
    const leave = this.#openWatches.enter()
    return () => {
      this.#watches.delete(end)
      leave()
    }
  }

  async drain(https: Http2SecureServer, graceMs: number): Promise<void> {
    this.#draining = true
    const closed = new Promise<void>((resolve) => https.close(() => resolve()))
    for (const end of [...this.#watches]) end()
    for (const session of this.#sessions) session.close()
    await this.#requests.empty(graceMs)
    await this.#openWatches.empty(Math.min(graceMs, WATCH_GRACE_MS))
    for (const session of this.#sessions) session.destroy()
    for (const socket of this.#sockets) endOf(socket)
    await closed
  }
}

const CLOSE_MS = 200

/** Lets what was written leave first: a socket that is destroyed with bytes unread resets the connection, and an answer with it. */
function endOf(socket: Socket): void {
  socket.end()
  socket.resume()
  setTimeout(() => socket.destroy(), CLOSE_MS)
}

class Counter {
  #count = 0
  #onEmpty: (() => void) | undefined

  enter(): () => void {
    this.#count++
    let left = false
    return () => {
      if (left) return
      left = true
      if (--this.#count === 0) this.#onEmpty?.()
    }
  }

  /** Resolves when nobody is in, or after so long. */
  async empty(withinMs: number): Promise<void> {
    if (this.#count === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      this.#onEmpty = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
