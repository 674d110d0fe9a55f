import { type KubeObject, Reading } from '@weft/api'
import type { UserInfo } from '../auth/user.ts'
import { createFairQueue, type FairQueue, type FairQueueStats, type Seat, type WaitingClient } from './fair-queue.ts'
import { type Asked, type CompiledSchema, compileSchema } from './flow-schema.ts'
import { Level } from './level.ts'
import type { Timers } from './timers.ts'

/**
 * Keeps one noisy client from starving the others. FlowSchemas say which priority level serves a request, the level how
 * many of the server's seats there are for it, and within a level seats go round the flows.
 */
export interface Fairness {
  /** Called once per request after authentication. */
  classify(user: UserInfo, asked: Asked): Flow
  /** By priority level; those that are exempt are not counted. */
  stats(): Readonly<Record<string, FairQueueStats>>
  /** The share of each level for `/metrics`, under Kubernetes' name. Names of levels need no quoting. */
  render(): string
  close(): void
}

/** Where a request belongs. */
export interface Flow {
  /** Tell the client which objects decided. */
  readonly headers: Readonly<Record<string, string>>
  /** See FairQueue.acquire. */
  acquire(client?: WaitingClient): Seat | Promise<Seat>
}

/** The configuration as it is now; asked again after each change. */
export interface FlowControlObjects {
  flowSchemas(): readonly KubeObject[]
  priorityLevels(): readonly KubeObject[]
  /** The listener is called after each change. */
  onChange(listener: () => void): () => void
}

export interface FairnessOptions {
  /** What all limited levels share. */
  readonly seats?: number
  readonly waitMillis?: number
  readonly timers?: Timers
}

const EXEMPT: Seat = { release: () => undefined }
/** Where what matches no schema goes, too: it has no groups, which only happens within the process. */
const LAST = 'catch-all'

interface Route {
  readonly schema: CompiledSchema
  readonly level: Level
  readonly headers: Readonly<Record<string, string>>
}

export function createFairness(objects: FlowControlObjects, options: FairnessOptions = {}): Fairness {
  const { seats = 600, waitMillis = 15_000, timers } = options
  const queues = new Map<string, FairQueue>()
  let levels: ReadonlyMap<string, Level> = new Map()
  let routes: readonly Route[] | undefined
  /** The same user asks again and again, and most schemas are about others. */
  let routesOfUsers = new WeakMap<UserInfo, readonly Route[]>()
  const cancel = objects.onChange(() => (routes = undefined))

  const limits = new Reading(
    'gauge',
    { name: 'apiserver_flowcontrol_nominal_limit_seats', help: 'Seats of each priority level.', labels: ['priority_level'] },
    () => [...levels.values()].map(({ name, own, lendable }) => [own + lendable, name]),
  )

  /** Seats that levels lend and nobody has. */
  const unlent = (): number => {
    let free = 0
    for (const level of levels.values()) free += level.lendable - Math.max(0, (queues.get(level.name)?.inUse ?? 0) - level.own)
    return free
  }

  /** What a level may have in use by now, what it has included. */
  const available = (name: string): number => {
    const level = levels.get(name)
    if (level === undefined) return 0
    const inUse = queues.get(name)?.inUse ?? 0
    return Math.min(level.most, Math.max(level.own, inUse) + Math.max(0, unlent()))
  }

  const queueOf = (name: string): FairQueue => {
    let queue = queues.get(name)
    if (queue === undefined) {
      queue = createFairQueue({
        seats: () => available(name),
        queueLength: () => levels.get(name)?.flowQueue ?? 0,
        totalLength: () => levels.get(name)?.totalQueue ?? 0,
        waitMillis,
        ...(timers && { timers }),
        onRelease() {
          // A seat that was lent may be wanted by any.
          for (const other of queues.values()) if (other.waiting > 0) other.dispatch()
        },
      })
      queues.set(name, queue)
    }
    return queue
  }

  const routesOf = (user: UserInfo, all: readonly Route[]): readonly Route[] => {
    let own = routesOfUsers.get(user)
    if (own === undefined) routesOfUsers.set(user, (own = all.filter(({ schema }) => schema.concerns(user))))
    return own
  }

  const compile = (): readonly Route[] => {
    routesOfUsers = new WeakMap()
    levels = Level.all(objects.priorityLevels(), seats)
    for (const [name, queue] of queues) if (!levels.has(name) && queue.inUse + queue.waiting === 0) queues.delete(name)
    for (const queue of queues.values()) queue.dispatch()
    return objects
      .flowSchemas()
      .map(compileSchema)
      .flatMap((schema): Route[] => {
        const level = levels.get(schema.level)
        if (level === undefined) return []
        const headers = { 'x-kubernetes-pf-flowschema-uid': schema.uid, 'x-kubernetes-pf-prioritylevel-uid': level.uid }
        return [{ schema, level, headers }]
      })
      .sort((a, b) => a.schema.precedence - b.schema.precedence || (a.schema.name < b.schema.name ? -1 : 1))
  }

  return {
    classify(user, asked) {
      routes ??= compile()
      const route =
        routesOf(user, routes).find(({ schema }) => schema.matches(user, asked)) ?? routes.find(({ schema }) => schema.name === LAST)
      if (route === undefined || route.level.exempt) return { headers: route?.headers ?? {}, acquire: () => EXEMPT }
      const { schema, level, headers } = route
      const flow = schema.flowOf(user, asked)
      const bounded = flow !== undefined && level.flowQueue > 0
      return { headers, acquire: (client) => queueOf(level.name).acquire(`${schema.name}\n${flow ?? ''}`, client, bounded) }
    },
    render() {
      routes ??= compile()
      return limits.render()
    },
    stats: () => Object.fromEntries([...queues].map(([name, queue]) => [name, queue.stats()])),
    close() {
      cancel()
      for (const queue of queues.values()) queue.close()
    },
  }
}
