import type { Credentials } from '../credentials.ts'
import { Connection, Disconnected, type Json } from './connection.ts'
import type { Kind } from './kinds.ts'
import type { Verdict } from './verdict.ts'

interface Event {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: Json
}

/**
 * A client that lists once and watches from there for ever, resuming from the last resourceVersion it saw. What it
 * believes must always be possible, and in the end be what the server has.
 */
export class Follower {
  readonly kind: Kind
  readonly selector: string
  /** resourceVersion by name. */
  readonly state: Map<string, string> = new Map()
  /** Every event, in the order of arrival. */
  readonly log: string[] = []
  readonly #connection: Connection
  readonly #verdict: Verdict
  #last = 0
  #resumed = 0
  #stopped = false

  constructor(kind: Kind, selector: string, credentials: Credentials, verdict: Verdict) {
    this.kind = kind
    this.selector = selector
    this.#connection = new Connection(credentials)
    this.#verdict = verdict
  }

  get resumed(): number {
    return this.#resumed
  }

  /** Lists, then follows until stopped. `serverUp` resolves when there is a server to connect to. */
  async start(): Promise<(serverUp: () => Promise<void>) => Promise<void>> {
    const { body } = await this.#connection.call('GET', `${this.kind.path}${this.selector === '' ? '' : `?labelSelector=${this.selector}`}`)
    for (const { metadata } of body.items ?? []) this.state.set(metadata.name, metadata.resourceVersion)
    this.#last = Number(body.metadata.resourceVersion)
    return async (serverUp) => {
      while (!this.#stopped) {
        await serverUp()
        await this.#follow().catch((error: unknown) => {
          if (!(error instanceof Disconnected)) this.#verdict.wrong(`${this.#name}: ${String(error)}`)
        })
        this.#resumed++
      }
    }
  }

  stop(): void {
    this.#stopped = true
    this.#connection.close()
  }

  get #name(): string {
    return `watch of ${this.kind.name}${this.selector === '' ? '' : ` with ${this.selector}`}`
  }

  #follow(): Promise<void> {
    const query = new URLSearchParams({ watch: 'true', resourceVersion: String(this.#last), allowWatchBookmarks: 'true' })
    if (this.selector !== '') query.set('labelSelector', this.selector)
    return this.#connection.watch(`${this.kind.path}?${query.toString()}`, (line) => this.#see(JSON.parse(line) as Event))
  }

  #see({ type, object }: Event): void {
    if (type === 'ERROR') return this.#verdict.wrong(`${this.#name}, resumed at ${this.#last}: ${object.code} ${object.message}`)
    const { name, resourceVersion } = object.metadata
    const revision = Number(resourceVersion)
    if (type === 'BOOKMARK' ? revision < this.#last : revision <= this.#last)
      this.#verdict.wrong(`${this.#name}: ${type} of ${name} at ${revision} after ${this.#last}`)
    this.#last = revision
    if (type === 'BOOKMARK') return
    this.log.push(`${revision} ${type} ${name}`)
    // A missed event shows as a change of something unknown, or as a second creation.
    if ((type === 'ADDED') === this.state.has(name))
      this.#verdict.wrong(`${this.#name}: ${type} of ${name} at ${revision}, but it ${type === 'ADDED' ? 'was there' : 'was not there'}`)
    if (type === 'DELETED') this.state.delete(name)
    else this.state.set(name, resourceVersion)
  }
}
