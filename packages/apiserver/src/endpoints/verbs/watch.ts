import { expired, failure, formatGroupVersion, type KubeObject, stringifyJson } from '@weft/api'
import { CompactedError } from '../../storage/index.ts'
import {
  longWork,
  type ObjectChange,
  type ObjectStore,
  type ResourceType,
  scanPrefix,
  type StoredObject,
  viewOf,
  viewsOf,
} from '../../registry/index.ts'
import type { ApiResponse, WatchEvent, WatchSink } from '../exchange.ts'
import { filterOf, nameIn, type ObjectFilter } from './filter.ts'
import { awaitRevision } from './list.ts'
import { type ListOptions, parseListOptions, versionFault } from '../options.ts'
import type { ResourceRequest } from '../resource-request.ts'
import type { VisibleObjects } from '../visible-objects.ts'
import { ShownObjects } from './shown-objects.ts'

const BOOKMARK_INTERVAL_MS = 60_000
/** On the bookmark after which a watch tells of changes only. */
export const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'
const MIN_TIMEOUT_MS = 30 * 60_000

export async function watchObjects(call: ResourceRequest): Promise<ApiResponse> {
  const options = parseListOptions(call.request.query, true)
  const filter = filterOf(call.type, options)
  const name = call.info.name || nameIn(options.fields)
  const why = options.resourceVersion === '' ? undefined : versionFault(options.resourceVersion)
  if (why !== undefined)
    throw failure({ code: 500, reason: '', message: `resourceVersion: Invalid value: ${JSON.stringify(options.resourceVersion)}: ${why}` })
  // A client may have seen more than this server has: it must not be shown an older state.
  if (options.sendInitialEvents === true && Number(options.resourceVersion || 0) > call.services.catalog.store(call.type).revision)
    await awaitRevision(call, Number(options.resourceVersion))
  return { status: 200, body: { kind: 'watch', watch: { open: (sink) => openWatch(call, { options, filter, name }, sink) } } }
}

interface WatchQuery {
  readonly options: ListOptions
  readonly filter: ObjectFilter | undefined
  readonly name: string | undefined
}

/**
 * Feeds `sink` with the state (when asked for), then with every change, in order. Views are made synchronously unless
 * a conversion webhook is involved; then events wait their turn in a chain of promises.
 */
function openWatch(call: ResourceRequest, query: WatchQuery, sink: WatchSink): () => void {
  const { type, services, visible } = call
  const { options } = query
  const store = services.catalog.store(type)
  const isHeld = call.request.credentials.kind === 'internal' && visible === undefined && type.conversion?.asks !== true
  const selector = new WatchSelector(type, scanPrefix(type, call.info.namespace), { ...query, visible, isHeld })
  let closed = false
  const release: (() => void)[] = []
  const close = (): void => {
    if (closed) return
    closed = true
    for (const free of release) free()
  }
  const finish = (): void => {
    if (closed) return
    close()
    sink.close()
  }
  const shown = visible && new ShownObjects(type)
  const queue = new EventQueue(shown === undefined ? sink : shown.through(sink), () => closed, finish)

  const anyVersion = options.resourceVersion === '' || options.resourceVersion === '0'
  const wantsState = options.sendInitialEvents ?? anyVersion
  const after = wantsState || anyVersion ? store.revision : Number(options.resourceVersion)
  // What the client has is from when its rights were others: it is to list anew.
  if (visible !== undefined && visible.since > after) {
    queue.push([errorEvent(after, store.revision)])
    queue.end()
    return close
  }
  if (wantsState) queue.push(selector.state(store))
  else if (shown !== undefined) queue.push(whenKnown(selector.state(store), (state) => (shown.note(state), [])))
  if (options.sendInitialEvents === true && options.allowWatchBookmarks) queue.push([bookmark(type, after, true)])
  try {
    release.push(store.follow(after, (changes) => queue.push(selector.changes(later(changes, after))), finish))
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error
    queue.push([errorEvent(after, store.revision)])
    queue.end()
    return close
  }
  if (visible !== undefined && shown !== undefined) {
    const { namespace } = call.info
    const onRights = (changedIn: string): void => {
      if (changedIn !== '' && namespace !== '' && changedIn !== namespace) return
      const within = scanPrefix(type, changedIn || namespace)
      const told = (state: readonly WatchEvent[]): readonly WatchEvent[] => {
        const events = shown.difference(within, state, store.revision)
        // The objects that come are older than what was told last; whoever comes again goes on from here.
        return events.length > 0 && options.allowWatchBookmarks ? [...events, bookmark(type, store.revision, false)] : events
      }
      queue.push(whenKnown(selector.state(store, within), told))
    }
    // When everything that was stored together with the change has been told: what is told here is as of then.
    release.push(visible.follow((changedIn) => queueMicrotask(() => onRights(changedIn))))
  }
  // A version may be served no longer, or mean something else from now on: whoever watches comes again and sees.
  release.push(services.catalog.whenRetired(type, () => queue.end()))
  const timeout =
    options.timeoutSeconds === undefined || options.timeoutSeconds <= 0
      ? MIN_TIMEOUT_MS * (1 + services.random())
      : options.timeoutSeconds * 1000
  const timer = setTimeout(finish, timeout)
  release.push(() => clearTimeout(timer))
  if (options.allowWatchBookmarks) {
    const ticker = setInterval(() => queue.push([bookmark(type, store.revision, false)]), BOOKMARK_INTERVAL_MS)
    release.push(() => clearInterval(ticker))
  }
  return close
}

/** A watch from a version that is yet to come has nothing to show until then. */
const later = (changes: readonly ObjectChange[], after: number): readonly ObjectChange[] =>
  (changes[0]?.revision ?? 0) > after ? changes : changes.filter(({ revision }) => revision > after)

const whenKnown = <T, U>(value: T | Promise<T>, next: (value: T) => U): U | Promise<U> =>
  value instanceof Promise ? value.then(next) : next(value)

/** Undefined: nothing to tell. */
type Selected = WatchEvent | undefined

interface SelectorOptions extends Pick<WatchQuery, 'filter' | 'name'> {
  readonly visible: VisibleObjects | undefined
  /** Whoever watches takes the objects, and not their JSON. */
  readonly isHeld: boolean
}

/** Which objects a watch is about, and what a change means for it. */
class WatchSelector {
  readonly #type: ResourceType
  readonly #prefix: string
  readonly #filter: ObjectFilter | undefined
  readonly #suffix: string | undefined
  readonly #visible: VisibleObjects | undefined
  readonly #isHeld: boolean

  constructor(type: ResourceType, prefix: string, { filter, name, visible, isHeld }: SelectorOptions) {
    this.#type = type
    this.#prefix = prefix
    this.#filter = filter
    this.#suffix = name === undefined || name === '' ? undefined : `/${name}`
    this.#visible = visible
    this.#isHeld = isHeld
  }

  state(store: ObjectStore, prefix: string = this.#prefix): readonly WatchEvent[] | Promise<readonly WatchEvent[]> {
    const listed = store.scan(prefix).filter((stored) => this.#concerns(stored))
    if (this.#isHeld && this.#filter === undefined)
      return longWork.map(listed, (stored) => ({
        type: 'ADDED' as const,
        object: new HeldObject(viewOf(this.#type, stored) as StoredObject),
      }))
    const views = viewsOf(this.#type, listed)
    const toEvents = (all: readonly StoredObject[]): WatchEvent[] | Promise<WatchEvent[]> => {
      const added = (view: StoredObject): WatchEvent => ({ type: 'ADDED', object: view })
      const filter = this.#filter
      if (filter === undefined) return all.map(added)
      const matches = longWork.map(all, (view) => filter(view.object))
      const chosen = (match: readonly boolean[]): WatchEvent[] => all.filter((_, i) => match[i]).map(added)
      return matches instanceof Promise ? matches.then(chosen) : chosen(matches)
    }
    return views instanceof Promise ? views.then(toEvents) : toEvents(views)
  }

  changes(changes: readonly ObjectChange[]): readonly WatchEvent[] | Promise<readonly WatchEvent[]> {
    const events: (Selected | Promise<Selected>)[] = []
    let waiting = false
    for (const change of changes) {
      if (!this.#concerns(change.current)) continue
      const event = this.#event(change)
      if (event === undefined) continue
      waiting ||= event instanceof Promise
      events.push(event)
    }
    return waiting ? Promise.all(events).then((all) => all.filter((event) => event !== undefined)) : (events as WatchEvent[])
  }

  #event(change: ObjectChange): Selected | Promise<Selected> {
    const { type, current, previous } = change
    if (this.#filter === undefined) {
      const view = viewOf(this.#type, current)
      const event = type === 'deleted' ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED'
      return view instanceof Promise ? view.then((object) => ({ type: event, object })) : { type: event, object: view }
    }
    // What the object was and what it is, in the version asked for: conversion may move what the selector names.
    const before = previous && viewOf(this.#type, previous)
    const now = type === 'deleted' ? undefined : viewOf(this.#type, current)
    const { revision } = current
    return before instanceof Promise || now instanceof Promise
      ? Promise.all([before, now]).then(([was, is]) => this.#select(revision, was, is))
      : this.#select(revision, before, now)
  }

  /** An object that stops matching is DELETED for this watch, one that starts is ADDED. */
  #select(revision: number, before: StoredObject | undefined, now: StoredObject | undefined): Selected {
    const matched = before !== undefined && this.#filter?.(before.object) === true
    if (now !== undefined && this.#filter?.(now.object) === true) return { type: matched ? 'MODIFIED' : 'ADDED', object: now }
    return matched ? { type: 'DELETED', object: before.deletedAt(revision) } : undefined
  }

  #concerns(stored: StoredObject): boolean {
    const { key } = stored
    return (
      key.startsWith(this.#prefix) &&
      (this.#suffix === undefined || key.endsWith(this.#suffix)) &&
      (this.#visible === undefined || this.#visible.has(stored))
    )
  }
}

/**
 * For whoever keeps the object: it is read in its turn, and held until the whole state is told. As a StoredObject holds it, weakly, many of a large state
 * would be collected before the last is read, and all of those read again, at once.
 */
class HeldObject {
  readonly object: KubeObject
  readonly #view: StoredObject

  constructor(view: StoredObject) {
    this.object = view.object
    this.#view = view
  }

  get json(): Buffer {
    return this.#view.json
  }
}

/** Keeps order when some batches have to wait for a conversion webhook. */
class EventQueue {
  readonly #sink: WatchSink
  readonly #closed: () => boolean
  readonly #finish: () => void
  #tail: Promise<void> | undefined

  constructor(sink: WatchSink, closed: () => boolean, finish: () => void) {
    this.#sink = sink
    this.#closed = closed
    this.#finish = finish
  }

  push(batch: readonly WatchEvent[] | Promise<readonly WatchEvent[]>): void {
    if (this.#tail === undefined && !(batch instanceof Promise)) {
      this.#send(batch)
      return
    }
    const before = this.#tail ?? Promise.resolve()
    const tail = before.then(async () => this.#send(await batch)).catch(() => this.#finish())
    this.#tail = tail
    void tail.then(() => {
      if (this.#tail === tail) this.#tail = undefined
    })
  }

  end(): void {
    if (this.#tail === undefined) queueMicrotask(this.#finish)
    else void this.#tail.then(this.#finish)
  }

  #send(events: readonly WatchEvent[]): void {
    if (!this.#closed() && events.length > 0) this.#sink.send(events)
  }
}

function bookmark(type: ResourceType, revision: number, initialEventsEnd: boolean): WatchEvent {
  const object: KubeObject = {
    ...type.zero,
    kind: type.kind,
    apiVersion: formatGroupVersion(type),
    metadata: {
      resourceVersion: String(revision),
      ...(initialEventsEnd && { annotations: { [INITIAL_EVENTS_END]: 'true' } }),
    },
  }
  return { type: 'BOOKMARK', object: { object, json: Buffer.from(stringifyJson(object)) } }
}

function errorEvent(requested: number, current: number): WatchEvent {
  const { status } = expired(`too old resource version: ${requested} (${current})`)
  return { type: 'ERROR', object: { object: status, json: Buffer.from(stringifyJson(status)) } }
}
