import { GROUP_MASTERS, type UserInfo } from '../auth/user.ts'
import { createFairQueue, type FairQueueStats, type Seat, type WaitingClient } from './fair-queue.ts'
import type { Timers } from './timers.ts'

/** Keeps one noisy client from starving the others: reads and writes each have their own seats, shared fairly by user. */
export interface Fairness {
  /** Called once per request after authentication; see FairQueue.acquire. */
  admit(request: FairRequest, client?: WaitingClient): Seat | Promise<Seat>
  stats(): { readonly readOnly: FairQueueStats; readonly mutating: FairQueueStats }
  close(): void
}

export interface FairRequest {
  readonly user: UserInfo
  /** get, list, watch and everything outside the API. */
  readonly readOnly: boolean
  /** URL path without query. */
  readonly path: string
}

export interface FairnessOptions {
  readonly readOnlySeats?: number
  readonly mutatingSeats?: number
  readonly queueLength?: number
  readonly waitMillis?: number
  /** Members are never queued: the administrator's way in, and the controllers of this process. */
  readonly exemptGroups?: readonly string[]
  readonly timers?: Timers
}

const EXEMPT: Seat = { release: () => undefined }
const HEALTH = /^\/(healthz|livez|readyz)(\/|$)/

export function createFairness(options: FairnessOptions = {}): Fairness {
  const {
    readOnlySeats = 400,
    mutatingSeats = 200,
    queueLength = 50,
    waitMillis = 15_000,
    exemptGroups = [GROUP_MASTERS],
    timers,
  } = options
  const shared = { queueLength, waitMillis, ...(timers && { timers }) }
  const readOnly = createFairQueue({ seats: readOnlySeats, ...shared })
  const mutating = createFairQueue({ seats: mutatingSeats, ...shared })
  const isExempt = ({ user, path }: FairRequest): boolean => user.groups.some((group) => exemptGroups.includes(group)) || HEALTH.test(path)
  return {
    admit: (request, client) =>
      isExempt(request) ? EXEMPT : (request.readOnly ? readOnly : mutating).acquire(request.user.username, client),
    stats: () => ({ readOnly: readOnly.stats(), mutating: mutating.stats() }),
    close() {
      readOnly.close()
      mutating.close()
    },
  }
}
