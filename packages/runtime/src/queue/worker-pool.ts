/**
 * A bounded number of pieces of work at a time, shared by all controllers. Each turn goes to the controller that has
 * waited longest for one, so that one with a long queue does not hold up the others.
 */
export interface WorkerPool {
  /** Registers a source of work and answers its handle. */
  join(source: WorkSource): PoolMember
  readonly active: number
  readonly size: number
}

export interface WorkSource {
  /** Begins the next piece of work, or answers undefined when there is none or the source is busy enough. Must not throw; the promise must not reject. */
  begin(): Promise<void> | undefined
}

export interface PoolMember {
  /** There may be work to begin. Cheap, callable any number of times. */
  notify(): void
  /** No work is begun any more; what runs goes on. */
  leave(): void
}

export function createWorkerPool(size: number): WorkerPool {
  let active = 0
  /** Sources that may have work, longest waiting first. */
  const waiting = new Set<WorkSource>()
  let scheduled = false

  const dispatch = (): void => {
    scheduled = false
    while (active < size) {
      const [source] = waiting
      if (source === undefined) return
      waiting.delete(source)
      const work = source.begin()
      if (work === undefined) continue
      waiting.add(source)
      active++
      void work.finally(() => {
        active--
        schedule()
      })
    }
  }
  // Once per turn of the event loop: reconciles against an in-process server may never leave microtasks, and sockets and
  // timers must get their turn between them.
  const schedule = (): void => {
    if (scheduled || waiting.size === 0) return
    scheduled = true
    setImmediate(dispatch)
  }
  return {
    join(source) {
      let member = true
      return {
        notify() {
          if (!member) return
          waiting.add(source)
          schedule()
        },
        leave() {
          member = false
          waiting.delete(source)
        },
      }
    },
    get active() {
      return active
    },
    size,
  }
}
