import { conflict, internalError, type StatusError } from '@weft/api'
import {
  type Clock,
  ConnectionError,
  type Random,
  type ResourcePath,
  sleep,
  systemClock,
  type Transport,
  type TransportRequest,
  type TransportVerb,
  type WatchRequest,
} from '@weft/client'

/** What goes wrong with a request. */
export type Fault =
  /** It is refused; the server does not see it. */
  | { readonly type: 'error'; readonly error: Error }
  /** Another writer was quicker: 409. The server does not see it. */
  | { readonly type: 'conflict' }
  /** The server does it, but its answer never arrives. */
  | { readonly type: 'lostAnswer' }
  /** It takes its time, then happens as usual. */
  | { readonly type: 'delay'; readonly millis: number }
  /** No answer and no error until the signal aborts. The server does not see it. */
  | { readonly type: 'hang' }
  /** Watches only: breaks after this many batches of events, with `error` or by just ending. */
  | { readonly type: 'cut'; readonly afterBatches: number; readonly error?: Error }

/** When a fault happens. Everything that is given must match. */
export interface FaultRule {
  readonly verb?: TransportVerb | readonly TransportVerb[]
  readonly plural?: string
  readonly name?: string
  readonly subresource?: string
  readonly matches?: (request: TransportRequest | WatchRequest) => boolean
  /** How many times; for ever unless told. */
  readonly times?: number
  /** Lets this many matching requests pass first. */
  readonly after?: number
  /** In [0, 1]; needs the injector's random. 1 unless told. */
  readonly probability?: number
  readonly fault: Fault
}

/** A Transport with things going wrong on the way, by script or by seeded chance. */
export interface FaultyTransport extends Transport {
  /** The first rule that matches applies. Answers how to take it away. */
  inject(rule: FaultRule): () => void
  clear(): void
  /** What was asked, in order: `update configmaps/a`, with what went wrong, if anything did. */
  readonly log: readonly { readonly verb: TransportVerb; readonly path: string; readonly fault?: Fault['type'] }[]
}

export interface FaultOptions {
  readonly clock?: Clock
  readonly random?: Random
  readonly rules?: readonly FaultRule[]
}

interface ActiveRule {
  readonly rule: FaultRule
  seen: number
  used: number
}

const WRITES: ReadonlySet<TransportVerb> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection'])

export function faultyTransport(
  inner: Transport,
  { clock = systemClock, random = Math.random, rules: initial = [] }: FaultOptions = {},
): FaultyTransport {
  const rules = new Set<ActiveRule>(initial.map((rule) => ({ rule, seen: 0, used: 0 })))
  const log: { verb: TransportVerb; path: string; fault?: Fault['type'] }[] = []

  const choose = (verb: TransportVerb, request: TransportRequest | WatchRequest): Fault | undefined => {
    const resource = 'resource' in request ? request.resource : undefined
    for (const active of rules) {
      const { rule } = active
      if (!matches(rule, verb, resource, request)) continue
      if (active.seen++ < (rule.after ?? 0) || active.used >= (rule.times ?? Number.POSITIVE_INFINITY)) continue
      if (rule.probability !== undefined && random() >= rule.probability) continue
      active.used++
      return rule.fault
    }
    return undefined
  }
  const note = (verb: TransportVerb, request: TransportRequest | WatchRequest): Fault | undefined => {
    const fault = choose(verb, request)
    log.push({ verb, path: describe(request), ...(fault !== undefined && { fault: fault.type }) })
    return fault
  }
  return {
    local: inner.local,
    log,
    inject(rule) {
      const active = { rule, seen: 0, used: 0 }
      rules.add(active)
      return () => rules.delete(active)
    },
    clear: () => rules.clear(),
    async request(request) {
      request.signal?.throwIfAborted()
      const fault = note(request.verb, request)
      await before(fault, request, clock)
      const answer = await inner.request(request)
      if (fault?.type === 'lostAnswer') throw new ConnectionError('the answer was lost', { mayHaveTakenEffect: WRITES.has(request.verb) })
      return answer
    },
    async *watch(request) {
      const fault = note('watch', request)
      await before(fault, request, clock)
      if (fault?.type === 'cut' && fault.afterBatches === 0) {
        if (fault.error !== undefined) throw fault.error
        return
      }
      let batches = 0
      for await (const batch of inner.watch(request)) {
        yield batch
        if (fault?.type !== 'cut' || ++batches < fault.afterBatches) continue
        if (fault.error !== undefined) throw fault.error
        return
      }
    },
    close: () => inner.close(),
  }
}

async function before(fault: Fault | undefined, request: TransportRequest | WatchRequest, clock: Clock): Promise<void> {
  const { signal } = request
  switch (fault?.type) {
    case 'error':
      throw fault.error
    case 'conflict':
      throw conflictOf(request)
    case 'delay':
      await sleep(clock, fault.millis, signal)
      return
    case 'hang':
      await new Promise<never>((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      )
      return
    default:
  }
}

function conflictOf(request: TransportRequest | WatchRequest): StatusError {
  const resource = 'resource' in request ? request.resource : undefined
  const subject = {
    group: resource?.group ?? '',
    resource: resource?.plural ?? '',
    ...(resource?.name !== undefined && { name: resource.name }),
  }
  return conflict(subject, 'the object has been modified; please apply your changes to the latest version and try again')
}

function matches(
  rule: FaultRule,
  verb: TransportVerb,
  resource: ResourcePath | undefined,
  request: TransportRequest | WatchRequest,
): boolean {
  const verbs = rule.verb === undefined ? undefined : typeof rule.verb === 'string' ? [rule.verb] : rule.verb
  const object = 'object' in request ? (request.object as { metadata?: { name?: string } }) : undefined
  return (
    (verbs === undefined || verbs.includes(verb)) &&
    (rule.plural === undefined || resource?.plural === rule.plural) &&
    (rule.name === undefined || (resource?.name || object?.metadata?.name) === rule.name) &&
    (rule.subresource === undefined || (resource?.subresource ?? '') === rule.subresource) &&
    rule.matches?.(request) !== false
  )
}

function describe(request: TransportRequest | WatchRequest): string {
  if (!('resource' in request)) return request.path
  const { plural, namespace, name, subresource } = request.resource
  return [namespace, plural, name, subresource].filter((part) => part !== undefined && part !== '').join('/')
}

/** Faults of every kind at the given rate, for runs that must come out right whatever happens. */
export function chaos(rate: number): readonly FaultRule[] {
  const writes: readonly TransportVerb[] = ['create', 'update', 'patch', 'delete']
  return [
    { verb: writes, probability: rate / 3, fault: { type: 'lostAnswer' } },
    { verb: ['update', 'patch'], probability: rate / 3, fault: { type: 'conflict' } },
    { verb: [...writes, 'get', 'list'], probability: rate / 3, fault: { type: 'error', error: internalError('injected') } },
    {
      verb: 'watch',
      probability: rate,
      fault: { type: 'cut', afterBatches: 2, error: new ConnectionError('injected', { mayHaveTakenEffect: false }) },
    },
  ]
}
