import { type Clock, sleep } from '@weft/client'
import type { KindsFeed, ObjectCountsFeed } from '../../contract.ts'
import { Refusal } from '../answer.ts'
import { mayGet } from '../endpoints/access.ts'
import type { Inventories, View } from '../inventory/inventories.ts'
import type { InventoryState } from '../inventory/inventory.ts'
import { readRelatedQuestion, relatedIn } from '../inventory/related.ts'
import { summaryOf } from '../inventory/summary.ts'
import { readUsersQuestion, usersIn } from '../inventory/users.ts'
import type { ConsoleSession } from '../session/sessions.ts'

/** An answer, as JSON, now and whenever it has changed, until the signal aborts. Rejects with a Refusal when the user may not have it. */
export type Feeds = (session: ConsoleSession, path: string, signal: AbortSignal) => AsyncIterable<string>

const BELOW = '/console/'

export const isFeed = (path: string): boolean => path.startsWith(BELOW)

/** People do not see more. */
const SHORTEST_PAUSE_MS = 500
/** How much longer than putting an answer together the pause after it is: the control plane has other things to do. */
const PAUSE_FACTOR = 20
/** Rights may change and nothing else. */
const LONGEST_PAUSE_MS = 30_000

export function createFeeds(inventories: Inventories, clock: Clock): Feeds {
  return async function* feed(session, path, signal) {
    const { pathname, searchParams } = new URL(path, 'http://console')
    const answer = ANSWERS.get(pathname.slice(BELOW.length))
    if (answer === undefined) throw new Refusal(404, 'NotFound', `there is no feed ${pathname}`)
    const answerFrom = answer(searchParams)
    if (pathname === `${BELOW}kinds` && !(await mayGet(session, '/apis')))
      throw new Refusal(403, 'Forbidden', 'you may not read which kinds there are (/apis)')
    const view = inventories.view(session, searchParams.get('namespace') ?? '')
    try {
      yield* whenChanged(view, answerFrom, clock, signal)
    } finally {
      view.release()
    }
  }
}

type Answer = (state: InventoryState) => object | undefined

/** By what the path says below `/console/`. An answer that is undefined cannot be given yet, or is as it was. */
const ANSWERS: ReadonlyMap<string, (query: URLSearchParams) => Answer> = new Map(
  Object.entries<(query: URLSearchParams) => Answer>({
    kinds: () => {
      // Objects change all the time, kinds do not: there may be thousands to put into words.
      let told: InventoryState | undefined
      return (state): KindsFeed | undefined => {
        const { kinds, areKindsKnown, problem } = state
        if (!areKindsKnown && problem === undefined) return undefined
        if (told?.kinds === kinds && told.problem === problem) return undefined
        told = state
        return { kinds, ...(problem !== undefined && { problem }) }
      }
    },
    summary: (query) => {
      const allKinds = query.get('kinds') === 'all'
      return (state) => summaryOf(state, allKinds)
    },
    counts:
      () =>
      ({ world }): ObjectCountsFeed => ({
        counts: Object.fromEntries(
          [...world.collections].flatMap(([key, { loaded, state, objects }]) =>
            loaded && state.phase !== 'refused' ? [[key, objects.size]] : [],
          ),
        ),
      }),
    related: (query) => {
      const question = readRelatedQuestion(query)
      return (state) => relatedIn(state, question)
    },
    users: (query) => {
      const question = readUsersQuestion(query)
      return (state) => usersIn(state, question)
    },
  }),
)

async function* whenChanged(view: View, answer: Answer, clock: Clock, signal: AbortSignal): AsyncGenerator<string> {
  let before: string | undefined
  let isChanged = false
  let wake: () => void = () => undefined
  const unsubscribe = view.subscribe(() => {
    isChanged = true
    wake()
  })
  try {
    while (!signal.aborted) {
      isChanged = false
      const state = await view.read()
      const begun = performance.now()
      const object = answer(state)
      const text = object && JSON.stringify(object)
      const pause = Math.max(SHORTEST_PAUSE_MS, (performance.now() - begun) * PAUSE_FACTOR)
      if (text !== undefined && text !== before) {
        before = text
        yield text
      }
      await sleep(clock, pause, signal).catch(() => undefined)
      if (isChanged || signal.aborted) continue
      const woken = new AbortController()
      wake = () => woken.abort()
      await sleep(clock, LONGEST_PAUSE_MS, AbortSignal.any([signal, woken.signal])).catch(() => undefined)
    }
  } finally {
    unsubscribe()
  }
}
