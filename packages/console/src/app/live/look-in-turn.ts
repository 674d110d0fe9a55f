import { type KubeObject, messageOf, StatusError } from '@weft/api'
import type { Api } from '../api/api.ts'
import type { ReflectorSink } from './reflector-sink.ts'
import type { Timing } from './watch-stream.ts'

/** An object that may be got and not watched. */
export interface Looked {
  /** Of the object, below `/k8s`. */
  readonly path: string
  readonly sink: ReflectorSink
  /** Aborted when nobody wants it any more. */
  readonly signal: AbortSignal
}

/** How often each is looked at, unless they are many. */
const LOOK_MS = 10_000
/** Between any two looks, after the first round: many objects are looked at less often, not faster. */
const SHORTEST_PAUSE_MS = 100
/** What was refused is asked for in every so many rounds: a composite names its members before they exist, and until then they are nobody's. */
const ROUNDS_REFUSED = 6

/**
 * Of what was made for their claims, users may get each object by its name, and neither list nor watch it: who holds it may change. One after the other is asked
 * for, over and over, for as long as it is wanted. Resolves when none is.
 */
export async function lookInTurn(all: readonly Looked[], { api, timing }: { readonly api: Api; readonly timing: Timing }): Promise<void> {
  const pause = Math.max(LOOK_MS / all.length, SHORTEST_PAUSE_MS)
  const refused = new Set<Looked>()
  const over = allAborted(all.map(({ signal }) => signal))
  for (let round = 0; !over.aborted; round++) {
    for (const one of all) {
      const isDue = !refused.has(one) || round % ROUNDS_REFUSED === 0
      if (isDue && !one.signal.aborted && (await look(one, api, timing))) refused.add(one)
      else if (isDue) refused.delete(one)
      if (over.aborted) return
      // The first round is what somebody waits for.
      if (round > 0) await timing.sleep(pause, over)
    }
    if (round === 0) await timing.sleep(LOOK_MS, over)
  }
}

/** Answers whether it was refused. */
async function look({ path, sink, signal }: Looked, api: Api, timing: Timing): Promise<boolean> {
  try {
    const found = await api.get<KubeObject>(`/k8s${path}`, { signal, background: true })
    if (signal.aborted) return false
    sink.replace([found])
    sink.become({ phase: 'watching' })
    return false
  } catch (error) {
    if (signal.aborted) return false
    if (!(error instanceof StatusError) || error.code >= 500 || error.code === 429)
      sink.become({ phase: 'waiting', why: messageOf(error), retryAt: timing.now() + LOOK_MS })
    else if (error.code === 404) {
      sink.replace([])
      sink.become({ phase: 'watching' })
    } else {
      sink.become({ phase: 'refused', why: error.message })
      return true
    }
    return false
  }
}

/** Aborted when all of these are. */
function allAborted(signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController()
  const check = (): void => {
    if (signals.every(({ aborted }) => aborted)) all.abort()
  }
  for (const signal of signals) signal.addEventListener('abort', check, { once: true })
  check()
  return all.signal
}
