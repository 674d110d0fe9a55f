import type { LogRecord, PendingWrite, Snapshot } from './driver.ts'
import type { Change, Entry } from './storage.ts'

interface Subscription {
  readonly prefix: string
  readonly onChanges: (changes: readonly Change[]) => void
  /** Everything up to this revision has been delivered, or is not wanted. */
  delivered: number
  active: boolean
}

// Replays hold this many values in memory at a time.
const REPLAY_BATCH = 256

/** Delivers changes to subscribers: recorded ones on subscribing, then each commit batch in one dispatch. */
export class Subscriptions {
  readonly #subscriptions = new Set<Subscription>()

  /**
   * `snapshot` is the visible state and `revision` its revision. The replay is synchronous and no commit is published inside it,
   * so no change can fall between the recorded ones and the live ones.
   */
  add(prefix: string, after: number, onChanges: (changes: readonly Change[]) => void, snapshot: Snapshot, revision: number): () => void {
    const subscription: Subscription = { prefix, onChanges, delivered: Math.max(after, revision), active: true }
    this.#subscriptions.add(subscription)
    const cancel = (): void => {
      subscription.active = false
      this.#subscriptions.delete(subscription)
    }
    if (after < revision) replay(subscription, after, snapshot)
    return cancel
  }

  /** `snapshot` is the state with the batch. */
  dispatch(batch: readonly PendingWrite[], snapshot: Snapshot): void {
    if (this.#subscriptions.size === 0) return
    // Several subscribers may match one write: its change, and the read of the previous value, are made once.
    const changes: (Change | undefined)[] = []
    for (const subscription of this.#subscriptions) {
      const matched: Change[] = []
      for (let i = 0; i < batch.length; i++) {
        const write = batch[i] as PendingWrite
        if (write.revision <= subscription.delivered || !write.key.startsWith(subscription.prefix)) continue
        matched.push((changes[i] ??= changeOfWrite(write, snapshot)))
      }
      deliver(subscription, matched)
    }
  }

  clear(): void {
    for (const subscription of this.#subscriptions) subscription.active = false
    this.#subscriptions.clear()
  }
}

function replay(subscription: Subscription, after: number, snapshot: Snapshot): void {
  snapshot.retain()
  const records = snapshot.log(after)
  try {
    let pending: Change[] = []
    for (let next = records.next(); !next.done && subscription.active; next = records.next()) {
      if (!next.value.key.startsWith(subscription.prefix)) continue
      pending.push(changeOfRecord(next.value, snapshot))
      if (pending.length < REPLAY_BATCH) continue
      deliver(subscription, pending)
      pending = []
    }
    deliver(subscription, pending)
  } finally {
    records.return?.()
    snapshot.release()
  }
}

function deliver(subscription: Subscription, changes: readonly Change[]): void {
  const last = changes.at(-1)
  if (last === undefined || !subscription.active) return
  subscription.delivered = Math.max(subscription.delivered, last.revision)
  try {
    subscription.onChanges(changes)
  } catch (error) {
    // A bug in one subscriber must reach neither the writer nor the other subscribers, and must not stay hidden either.
    queueMicrotask(() => {
      throw error
    })
  }
}

function changeOfWrite(write: PendingWrite, snapshot: Snapshot): Change {
  return makeChange(write, write.value, write.previous && snapshot.read(write.previous))
}

function changeOfRecord(record: LogRecord, snapshot: Snapshot): Change {
  return makeChange(record, record.current && snapshot.read(record.current).value, record.previous && snapshot.read(record.previous))
}

function makeChange(source: PendingWrite | LogRecord, value: Uint8Array | undefined, previous: Entry | undefined): Change {
  const { type, key, revision } = source
  return { type, key, revision, ...(value && { value }), ...(previous && { previous }) }
}
