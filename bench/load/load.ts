/** What the generator is told to do, and what it answers. Plain data: it crosses a process boundary. */
export type Load = RequestLoad | FanOutLoad

export interface Target {
  readonly host: string
  readonly port: number
  /** PEM. */
  readonly ca: string
  readonly token: string
  /** The processes that serve it. */
  readonly pids: readonly number[]
}

export type Protocol = 'http1' | 'http2'

/**
 * One request, to be sent again and again. In path and body, SEQUENCE stands for a number that no other request of the
 * load has, and OBJECT for the number of an object; a client only ever names objects that no other client names.
 */
export interface RequestTemplate {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly contentType?: string
  readonly body?: string
}

/** Ten characters each, as the digits that take their place: lengths never change, so requests are patched, not built. */
export const SEQUENCE = '##########'
export const OBJECT = '@@@@@@@@@@'

export const digits = (n: number): string => String(n).padStart(10, '0')

/** Each client sends its next request when the last one is answered. */
export interface RequestLoad {
  readonly kind: 'requests'
  readonly target: Target
  readonly protocol: Protocol
  readonly clients: number
  readonly request: RequestTemplate
  /** SEQUENCE counts from here. */
  readonly firstSequence: number
  /** OBJECT is in [0, objects). */
  readonly objects: number
  /** Stop after so many requests, or after so long; warm-up comes before and is not measured. */
  readonly until: { readonly requests: number } | { readonly warmUpMs: number; readonly durationMs: number }
}

/** Watchers of one collection, and rounds of writes: a round ends when every watcher has seen every write of it. */
export interface FanOutLoad {
  readonly kind: 'fan-out'
  readonly target: Target
  readonly protocol: Protocol
  readonly watchers: number
  readonly watchPath: string
  readonly write: RequestTemplate
  readonly writesPerRound: number
  readonly objects: number
  readonly warmUpMs: number
  readonly durationMs: number
}

export interface LoadResult {
  /** Requests, or events delivered. */
  readonly count: number
  readonly bytes: number
  readonly seconds: number
  /** Milliseconds: of a request, or of a round. */
  readonly p50: number
  readonly p99: number
  /** Statuses other than success, with how often each came. */
  readonly failures: Readonly<Record<string, number>>
  /** Of one core, by the generator itself: near 1 it is the limit, and the result too low. */
  readonly generatorCpu: number
  /** Seconds, of all processes that served it, meanwhile. */
  readonly serverCpu: number
}
