import { type KubeList, type KubeObject, messageOf, StatusError } from '@weft/api'
import { type Api } from '../api/api.ts'
import { lookInTurn } from './look-in-turn.ts'
import type { ReflectorSink } from './reflector-sink.ts'
import { pauseBefore, type Timing, type WatchEnd, type WatchEvent, type WatchStream } from './watch-stream.ts'

export interface ReflectorOptions {
  readonly api: Api
  readonly stream: WatchStream
  readonly timing: Timing
  /** Path of the list, below `/k8s`, perhaps with a query: `/api/v1/events?fieldSelector=…`. */
  readonly path: string
  /** Path of the object, where the list is of that one alone: some may get what they may not watch. */
  readonly object?: string
  readonly apiVersion: string
  readonly kind: string
  readonly signal: AbortSignal
  /** Nobody waits for this list in particular. */
  readonly background?: boolean
}

const PAGE = 500

/** Streams to servers that do not send what there is at the beginning of a watch: there it is listed. */
const needLists = new WeakSet<WatchStream>()
/** With this the server says that all there was has been sent. */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'
/** A server that does not know the parameter ignores it: it sends what there is, and never says that this was all. */
const SILENT_MS = 30_000

/**
 * Reads all, then follows; see CollectionState. Both over the stream, where the server can: a page has dozens of lists, and a request for each is what it
 * would wait for. Resolves when the signal is aborted, or when there is nothing to follow.
 */
export async function reflect(sink: ReflectorSink, options: ReflectorOptions): Promise<void> {
  const { timing, signal } = options
  let failures = 0
  while (!signal.aborted) {
    try {
      sink.become({ phase: 'listing' })
      let resourceVersion: string | undefined
      if (needLists.has(options.stream)) {
        const listed = await listAll(options)
        if (signal.aborted) return
        sink.replace(listed.objects)
        sink.become({ phase: 'watching' })
        resourceVersion = listed.resourceVersion
        failures = 0
      }
      await follow(sink, options, resourceVersion, () => (failures = 0))
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof StatusError && error.code === 403 && options.object !== undefined)
        return await lookInTurn([{ path: options.object, sink, signal }], options)
      if (error instanceof StatusError && (error.code === 403 || error.code === 401))
        return sink.become({ phase: 'refused', why: error.message })
      if (error instanceof StatusError && (error.code === 404 || error.code === 405)) {
        sink.replace([])
        return sink.become({ phase: 'absent' })
      }
      const pause = pauseBefore(failures++, timing.random())
      sink.become({ phase: 'waiting', why: messageOf(error), retryAt: timing.now() + pause })
      await timing.sleep(pause, signal)
    }
  }
}

async function listAll({
  api,
  path,
  apiVersion,
  kind,
  signal,
  background = false,
}: ReflectorOptions): Promise<{ objects: KubeObject[]; resourceVersion: string }> {
  const objects: KubeObject[] = []
  let next = ''
  for (;;) {
    const page = await api.get<KubeList>(`/k8s${withQuery(path, { limit: String(PAGE), ...(next !== '' && { continue: next }) })}`, {
      signal,
      background,
    })
    // Items of a list do not say what they are.
    for (const item of page.items ?? []) objects.push({ ...item, apiVersion: item.apiVersion ?? apiVersion, kind: item.kind ?? kind })
    next = page.metadata.continue ?? ''
    if (next === '') return { objects, resourceVersion: page.metadata.resourceVersion ?? '' }
  }
}

/**
 * Watches until the revision is too old (resolves: read all again) or until the server refuses (rejects). Without a revision the watch begins with
 * all there is, and `onComplete` is called when that has come.
 */
async function follow(
  sink: ReflectorSink,
  options: ReflectorOptions,
  resourceVersion: string | undefined,
  onComplete: () => void,
): Promise<void> {
  const { stream, timing, path, signal } = options
  let revision = resourceVersion
  let idle = 0
  while (!signal.aborted) {
    const start =
      revision === undefined ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' } : { resourceVersion: revision }
    const query = { watch: 'true', allowWatchBookmarks: 'true', ...start }
    let initial: KubeObject[] | undefined = revision === undefined ? [] : undefined
    let gone: number | undefined
    const take = ({ type, object }: WatchEvent): void => {
      if (type === 'ERROR') {
        gone = (object['code'] as number | undefined) ?? 500
        return
      }
      idle = 0
      if (initial !== undefined) {
        if (type === 'ADDED') initial.push(object)
        if (object.metadata.annotations?.[INITIAL_EVENTS_END] !== 'true') return
        sink.replace(initial)
        sink.become({ phase: 'watching' })
        initial = undefined
        onComplete()
      }
      revision = object.metadata.resourceVersion ?? revision
      if (type === 'DELETED') sink.remove(object)
      else if (type !== 'BOOKMARK') sink.put(object)
    }
    const over = new AbortController()
    const silence = new AbortController()
    if (initial !== undefined) void whenSilent(timing, () => initial?.length, AbortSignal.any([signal, over.signal]), silence)
    const { status } = await untilEnd(stream, withQuery(path, query), take, AbortSignal.any([signal, silence.signal]))
    over.abort()
    if (signal.aborted) return
    if (silence.signal.aborted) return void needLists.add(stream)
    const code = gone ?? status?.code
    if (code === 410) return
    // It cannot, or does not want to: what is wrong with the list otherwise, the list will tell.
    if (initial !== undefined && (code === 400 || code === 422)) return void needLists.add(stream)
    if (initial !== undefined && code === undefined) throw new Error('The server ended the connection.')
    if (code === 401 || code === 403 || code === 404 || (initial !== undefined && code !== undefined))
      throw new StatusError({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        code,
        message: status?.message ?? `the watch ended with ${code}`,
      })
    // A watch that ends without a word, again and again, must not become a busy loop.
    if (idle > 0 || code !== undefined) await timing.sleep(pauseBefore(idle, timing.random()), signal)
    idle++
  }
}

/** Aborts `silence` when nothing more comes and the end of what there is was not told. `received`: how much has come; undefined when that is complete. */
async function whenSilent(
  timing: Timing,
  received: () => number | undefined,
  signal: AbortSignal,
  silence: AbortController,
): Promise<void> {
  for (let before = -1; ;) {
    const now = received()
    if (now === undefined || signal.aborted) return
    if (now === before) return silence.abort()
    before = now
    await timing.sleep(SILENT_MS, signal)
  }
}

function untilEnd(stream: WatchStream, path: string, onEvent: (event: WatchEvent) => void, signal: AbortSignal): Promise<WatchEnd> {
  return new Promise((resolve) => {
    const close = stream.watch(path, { onEvent, onEnd: resolve })
    signal.addEventListener('abort', () => (close(), resolve({})), { once: true })
  })
}

export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const more = new URLSearchParams(query).toString()
  return `${path}${path.includes('?') ? '&' : '?'}${more}`
}
