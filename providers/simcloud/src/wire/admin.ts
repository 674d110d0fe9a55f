import type { CloudResource } from './resource.ts'

/** Who may use an account: an editor may do everything in it, a viewer may read resources but not their connection. */
export interface AccountToken {
  readonly token: string
  readonly role: 'editor' | 'viewer'
}

export interface AccountSettings {
  /** Replaces all earlier tokens, so an old one stops working at once. */
  readonly tokens: readonly AccountToken[]
  /** By kind; a kind that is not here has the quota of its description. */
  readonly quotas?: Readonly<Record<string, number>>
}

export const VERBS = ['create', 'get', 'list', 'update', 'delete', 'connection', 'rotate'] as const
export type Verb = (typeof VERBS)[number]

/** Which requests a fault hits; what is absent matches everything. */
export interface FaultMatch {
  readonly cloud?: string
  readonly account?: string
  readonly kind?: string
  readonly name?: string
  readonly verb?: Verb
}

export type FaultEffect =
  /** Refused before anything happened. */
  | { readonly type: 'fail'; readonly status?: 500 | 503; readonly message?: string }
  | { readonly type: 'throttle'; readonly retryAfterSeconds?: number }
  /** The request is held for this long before it is carried out. */
  | { readonly type: 'hang'; readonly millis: number }
  /** Carried out, but the connection breaks instead of an answer. */
  | { readonly type: 'loseAnswer' }
  /** Accepted, but the operation does not end until the fault is removed or this long has passed. */
  | { readonly type: 'stall'; readonly millis?: number }
  /** Accepted, but the operation ends in FAILED. */
  | { readonly type: 'failOperation'; readonly message?: string }

export interface FaultSpec {
  readonly match?: FaultMatch
  readonly effect: FaultEffect
  /** How often it may hit; absent = for ever. */
  readonly count?: number
  /** Of a matching request being hit, in (0, 1]; absent = 1. */
  readonly probability?: number
  /** The same seed and the same requests give the same hits. */
  readonly seed?: number
}

export interface Fault extends FaultSpec {
  readonly id: string
  readonly hits: number
}

/** What exists, counted in the simulated cloud itself. */
export interface ResourceInventory {
  readonly count: number
  /** `cloud/account/kind` → how many. */
  readonly byKind: Readonly<Record<string, number>>
  readonly items: readonly CloudResource[]
}

/** A change made behind the control plane's back, past all rules. */
export interface Drift {
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly state?: 'RUNNING' | 'FAILED'
}
