import type { OperationKind } from './resource-record.ts'

interface Running {
  readonly kind: OperationKind
  readonly startedAt: number
  readonly done: Promise<unknown>
}

/**
 * Changes that are being carried out. They take as long as they take, and nothing ends them early: a reconcile that has no more time goes, its
 * change stays, and the next one finds it here.
 */
export class Operations {
  readonly #running = new Map<string, Running>()

  get(uid: string): Running | undefined {
    return this.#running.get(uid)
  }

  /** Two changes of one resource never run at a time. */
  run<T>(uid: string, kind: OperationKind, operation: () => Promise<T>): Promise<T> {
    if (this.#running.has(uid)) throw new Error('a change of this resource is already in progress')
    const done = operation().finally(() => this.#running.delete(uid))
    // Whoever waits for it hears of it; nobody need.
    done.catch(() => undefined)
    this.#running.set(uid, { kind, startedAt: Date.now(), done })
    return done
  }

  /** Resolves when all of them have ended. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done))
  }
}
