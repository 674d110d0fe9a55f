import { setTimeout as sleep } from 'node:timers/promises'
import { type GroupKind, gvkOf, hasReason, type KubeObject } from '@weft/api'
import { type Client, ConnectionError, NoMatchError } from '@weft/client'

const RETRY_MS = 50

/** Somebody who wants things of a control plane that keeps dying: asks again until there is an answer. */
export class User {
  readonly #client: Client
  readonly #signal: AbortSignal

  /** `signal` ends all retries. */
  constructor(client: Client, signal: AbortSignal) {
    this.#client = client
    this.#signal = signal
  }

  /** Resolves when there is a new object of this name; an old one that is on its way out has to go first. */
  create(object: KubeObject): Promise<void> {
    return this.#untilAnswered(async () => {
      try {
        await this.#client.create(object)
        return true
      } catch (error) {
        if (!hasReason(error, 'AlreadyExists')) throw error
        const there = await this.find(object)
        return there !== undefined && there.metadata.deletionTimestamp === undefined
      }
    })
  }

  delete(object: KubeObject): Promise<void> {
    return this.#untilAnswered(async () => {
      await this.#client.delete(kindOf(object), refOf(object))
      return true
    })
  }

  find(object: KubeObject): Promise<KubeObject | undefined> {
    return this.#client.find(kindOf(object), refOf(object))
  }

  async list(kinds: readonly GroupKind[]): Promise<readonly KubeObject[]> {
    const lists = await Promise.all(kinds.map((kind) => this.#client.list(kind)))
    return lists.flatMap(({ items }) => items)
  }

  async secretOf(object: KubeObject): Promise<Readonly<Record<string, string>>> {
    const ref = (object['spec'] as { writeConnectionSecretToRef?: { namespace: string; name: string } }).writeConnectionSecretToRef
    const secret = ref && (await this.#client.find({ group: '', kind: 'Secret' }, ref))
    return Object.fromEntries(
      Object.entries((secret?.['data'] ?? {}) as Record<string, string>).map(([key, value]) => [
        key,
        Buffer.from(value, 'base64').toString(),
      ]),
    )
  }

  async #untilAnswered(ask: () => Promise<boolean>): Promise<void> {
    for (;;) {
      this.#signal.throwIfAborted()
      try {
        if (await ask()) return
      } catch (error) {
        if (!isPassing(error)) throw error
      }
      await sleep(RETRY_MS)
    }
  }
}

/** It is down, coming up, or has not got to this kind yet. */
const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof NoMatchError ||
  ['ServiceUnavailable', 'Conflict', 'TooManyRequests', 'Timeout', 'NotFound'].some((reason) => hasReason(error, reason as 'Conflict'))

export const kindOf = (object: KubeObject): GroupKind => {
  const { group, kind } = gvkOf(object)
  return { group, kind }
}

const refOf = ({ metadata }: KubeObject): { name: string; namespace: string | undefined } => ({
  name: metadata.name ?? '',
  namespace: metadata.namespace,
})
