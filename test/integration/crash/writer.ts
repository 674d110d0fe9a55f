import type { Credentials } from '../credentials.ts'
import { type Answer, Connection, Disconnected, type Json } from './connection.ts'
import type { Gate } from './gate.ts'
import type { Kind } from './kinds.ts'
import { between, type Random } from './random.ts'
import type { Verdict } from './verdict.ts'

/** What an object is known to be: absent, or the write that made it. */
interface State {
  readonly value: number
  readonly resourceVersion: string
}

interface Owned {
  readonly kind: Kind
  readonly name: string
  /** As of the last acknowledged write. */
  acknowledged: State | undefined
  /** A write whose answer never came: it may have happened. `undefined` as state: a delete. */
  attempt: { readonly state: { readonly value: number } | undefined } | undefined
}

/**
 * A client that creates, updates, patches and deletes objects which nobody else touches, one request at a time, and knows
 * what each of them must be.
 */
export class Writer {
  readonly #connection: Connection
  readonly #gate: Gate
  readonly #random: Random
  readonly #verdict: Verdict
  readonly #objects: readonly Owned[]
  #value: number
  #stopped = false

  constructor(parts: {
    id: number
    credentials: Credentials
    kinds: readonly Kind[]
    objects: number
    gate: Gate
    random: Random
    verdict: Verdict
  }) {
    this.#connection = new Connection(parts.credentials)
    this.#gate = parts.gate
    this.#random = parts.random
    this.#verdict = parts.verdict
    this.#objects = parts.kinds.flatMap((kind) =>
      Array.from({ length: parts.objects }, (_, i) => ({ kind, name: `w${parts.id}-${i}`, acknowledged: undefined, attempt: undefined })),
    )
    this.#value = 1
  }

  async run(): Promise<void> {
    for (;;) {
      await this.#gate.passage()
      if (this.#stopped) break
      await this.#step(this.#objects[between(this.#random, 0, this.#objects.length)] as Owned)
    }
    this.#connection.close()
  }

  stop(): void {
    this.#stopped = true
  }

  /** Compares what the server has with what this writer knows. While its gate is closed only. */
  check(listed: ReadonlyMap<string, Json>): void {
    for (const owned of this.#objects) {
      const object = listed.get(`${owned.kind.name}/${owned.name}`)
      const found = object && { value: owned.kind.valueOf(object), resourceVersion: object.metadata.resourceVersion }
      const { acknowledged, attempt } = owned
      owned.attempt = undefined
      const asAcknowledged = found?.value === acknowledged?.value && found?.resourceVersion === acknowledged?.resourceVersion
      const asAttempted = attempt !== undefined && found?.value === attempt.state?.value
      if (!asAcknowledged && !asAttempted)
        this.#verdict.wrong(
          `${owned.kind.name} ${owned.name}: acknowledged ${JSON.stringify(acknowledged)}, attempted ${JSON.stringify(attempt)}, but found ${JSON.stringify(found)}`,
        )
      owned.acknowledged = found
    }
  }

  async #step(owned: Owned): Promise<void> {
    const { kind, name, acknowledged } = owned
    const path = `${kind.path}/${name}`
    const value = this.#value++
    const padding = this.#random() < 0.1 ? 20_000 : between(this.#random, 50, 2500)
    if (acknowledged === undefined)
      return this.#write(owned, { value }, 201, () => this.#connection.call('POST', kind.path, kind.make(name, value, padding)))
    const { resourceVersion } = acknowledged
    const choice = this.#random()
    if (choice < 0.2) {
      const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { resourceVersion } }
      return this.#write(owned, undefined, 200, () => this.#connection.call('DELETE', path, options))
    }
    if (choice < 0.4)
      return this.#write(owned, { value }, 200, () =>
        this.#connection.call('PATCH', path, kind.patch(value), 'application/merge-patch+json'),
      )
    return this.#write(owned, { value }, 200, () => this.#connection.call('PUT', path, kind.make(name, value, padding, resourceVersion)))
  }

  async #write(owned: Owned, state: { readonly value: number } | undefined, expected: number, send: () => Promise<Answer>): Promise<void> {
    owned.attempt = { state }
    try {
      const { status, body } = await send()
      owned.attempt = undefined
      if (status !== expected) {
        this.#verdict.wrong(`${owned.kind.name} ${owned.name}: status ${status} instead of ${expected}: ${body.message}`)
        return
      }
      owned.acknowledged = state && { value: state.value, resourceVersion: body.metadata.resourceVersion }
      // A delete is answered with a Status that does not tell its revision.
      this.#verdict.acknowledged(owned.kind, state && body.metadata.resourceVersion)
    } catch (error) {
      if (!(error instanceof Disconnected)) throw error
      if (error.outcome === 'not sent') owned.attempt = undefined
      if (this.#gate.isOpen) this.#verdict.wrong(`${owned.kind.name} ${owned.name}: ${error.message}, though nobody killed the server`)
    }
  }
}
