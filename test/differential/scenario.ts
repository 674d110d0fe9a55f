import { setTimeout as sleep } from 'node:timers/promises'
import { type Difference, differences, formatDifference } from './compare.ts'
import { allowed } from './differences.ts'
import type { Answer, Call, Endpoint, Watched } from './endpoint.ts'
import { Normalizer } from './normalize.ts'

/** Names that one scenario may use: nobody else does. */
export interface Names {
  readonly ns: string
  /** API group of the scenario's custom resources. */
  readonly group: string
  /** Part of names of cluster-scoped objects. */
  readonly id: string
}

/** What this server has answered so far, by step. */
export interface Seen {
  readonly answers: readonly Answer[]
  /** resourceVersion in the answer of step `i` (negative: from the end). */
  version(i: number): string
  uid(i: number): string
  body(i: number): any
}

export type CallOf = Call | ((seen: Seen) => Call)

export type Step =
  | { readonly kind: 'call'; readonly call: CallOf; /** Not compared: only makes the state. */ readonly silent?: boolean }
  /** Repeats a call, made anew each time, until its answer satisfies, then compares that answer. */
  | {
      readonly kind: 'eventually'
      readonly call: CallOf
      readonly until: (answer: Answer, seen: Seen) => boolean
      readonly silent?: boolean
      readonly limitMs?: number
    }
  /** Watches while `during` runs; compares the events. */
  | {
      readonly kind: 'watch'
      readonly call: CallOf
      readonly during: readonly CallOf[]
      readonly count?: number
      readonly limitMs?: number
      /** The same question with more patience, asked where the answers differ: on a busy machine an event may be late, and late is not different. */
      readonly again?: CallOf
    }

export interface Scenario {
  readonly name: string
  readonly steps: (names: Names) => readonly Step[]
}

export interface Found {
  readonly scenario: string
  readonly step: number
  readonly title: string
  readonly differences: readonly Difference[]
  /** The answers, normalised. */
  readonly weft: unknown
  readonly kubernetes: unknown
}

/** For people: every place that differs, or just the two outcomes where those already disagree. */
export function formatFound({ step, title, differences: all, weft, kubernetes }: Found): string {
  const outcomes = all.some(({ path }) => path === '.status')
    ? `  weft       ${outcome(weft)}\n  kubernetes ${outcome(kubernetes)}`
    : all.map(formatDifference).join('\n')
  return `- step ${step}: ${title}\n${outcomes}`
}

function outcome(answer: unknown): string {
  const { status, body } = answer as { status: number; body?: { message?: string; reason?: string } }
  return `${status} ${body?.reason ?? ''} ${JSON.stringify(body?.message ?? body)?.slice(0, 600)}`
}

export const call = (method: string, path: string, body?: unknown, more: Partial<Call> = {}): Step => ({
  kind: 'call',
  call: { method, path, ...(body !== undefined && { body }), ...more },
})
export const from = (make: (seen: Seen) => Call): Step => ({ kind: 'call', call: make })
export const silent = (step: Step): Step => ({ ...step, silent: true }) as Step

const EVENTUALLY_MS = 120_000
/** For events that are awaited by number; those that must not come are given less. */
const WATCH_MS = 60_000
const BEHIND_MS = 20_000

/** Runs the steps on both servers and answers where they disagree. Differences on the list are left out. */
export async function compareScenario(scenario: Scenario, names: Names, weft: Endpoint, kubernetes: Endpoint): Promise<Found[]> {
  const sides = [new Side(weft), new Side(kubernetes)] as const
  const found: Found[] = []
  for (const [index, step] of scenario.steps(names).entries()) {
    const compare = async (asked: Step): Promise<Found | undefined> => {
      const [ours, theirs] = await Promise.all([sides[0].run(asked, index), sides[1].run(asked, index)])
      return isSilent(step) ? undefined : judge(scenario, index, ours, theirs.result)
    }
    const difference = await patiently(step, compare)
    if (difference !== undefined) found.push(difference)
  }
  return found
}

/** A difference is one if it is there for the patient, too. */
async function patiently(step: Step, compare: (asked: Step) => Promise<Found | undefined>): Promise<Found | undefined> {
  let found = await compare(step)
  if (found !== undefined && step.kind === 'watch' && step.again !== undefined) return await compare(patient(step))
  for (const end = Date.now() + BEHIND_MS; found !== undefined && mayBeBehind(step) && Date.now() < end;) {
    await sleep(200)
    found = await compare(step)
  }
  return found
}

/** Such a read is answered from a cache, whatever that has heard of. */
const mayBeBehind = (step: Step): boolean =>
  step.kind === 'call' && typeof step.call === 'object' && /[?&]resourceVersion=0(&|$)/.test(step.call.path)

const patient = (step: Step): Step => (step.kind === 'watch' && step.again !== undefined ? { ...step, call: step.again } : step)

/** What one server answers, normalised: to be compared with later, where the other server is not at hand. */
export async function recordScenario(scenario: Scenario, names: Names, server: Endpoint): Promise<readonly unknown[]> {
  const side = new Side(server)
  const results: unknown[] = []
  for (const [index, step] of scenario.steps(names).entries()) {
    const { result } = await side.run(patient(step), index)
    results.push(isSilent(step) ? null : result)
  }
  return results
}

/** Like compareScenario, with what kube-apiserver answered when it was asked. */
export async function replayScenario(scenario: Scenario, names: Names, weft: Endpoint, recorded: readonly unknown[]): Promise<Found[]> {
  const side = new Side(weft)
  const found: Found[] = []
  for (const [index, step] of scenario.steps(names).entries()) {
    const compare = async (asked: Step): Promise<Found | undefined> => {
      const ours = await side.run(asked, index)
      return isSilent(step) ? undefined : judge(scenario, index, ours, recorded[index])
    }
    const difference = await patiently(step, compare)
    if (difference !== undefined) found.push(difference)
  }
  return found
}

const isSilent = (step: Step): boolean => step.kind !== 'watch' && step.silent === true

function judge(
  { name }: Scenario,
  step: number,
  { call: made, result }: { readonly call: Call; readonly result: unknown },
  kubernetes: unknown,
): Found | undefined {
  const all = differences(result, kubernetes).filter((difference) => !allowed({ call: made, difference, weft: result, kubernetes }))
  return all.length === 0 ? undefined : { scenario: name, step, title: titleOf(made), differences: all, weft: result, kubernetes }
}

const titleOf = ({ method, path, body, contentType, user }: Call): string =>
  `${method} ${path}${user ? ` as ${user}` : ''}${contentType ? ` (${contentType})` : ''}${body === undefined ? '' : ` ${(typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 300)}`}`

/** A connection that breaks is an outcome too, and one to be compared. */
const broken = (error: unknown): Answer => ({
  status: 0,
  contentType: '',
  warnings: [],
  headers: {},
  body: error instanceof Error ? error.message : String(error),
})

/** One server's run of a scenario. */
class Side implements Seen {
  readonly answers: Answer[] = []
  readonly #endpoint: Endpoint
  readonly #normalizer = new Normalizer()

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  body(i: number): any {
    return this.answers.at(i)?.body
  }

  version(i: number): string {
    return String(this.body(i)?.metadata?.resourceVersion ?? '')
  }

  uid(i: number): string {
    return String(this.body(i)?.metadata?.uid ?? '')
  }

  /** `index`: of the step. One that is asked again has the later answer. */
  async run(step: Step, index: number): Promise<{ readonly call: Call; readonly result: unknown }> {
    const made = this.#make(step.call)
    if (step.kind === 'watch') {
      const { answer, events, ended } = await this.#watch(made, step)
      this.answers[index] = { ...answer, body: events }
      return { call: made, result: this.#normalizer.normalize({ ...answer, ended, events }) }
    }
    const answer = step.kind === 'call' ? await this.#endpoint.send(made).catch(broken) : await this.#eventually(step)
    this.answers[index] = answer
    return { call: made, result: this.#normalizer.normalize(answer) }
  }

  #make(call: CallOf): Call {
    return typeof call === 'function' ? call(this) : call
  }

  async #eventually({ call: asked, until, limitMs = EVENTUALLY_MS }: Extract<Step, { kind: 'eventually' }>): Promise<Answer> {
    const deadline = Date.now() + limitMs
    for (;;) {
      const answer = await this.#endpoint.send(this.#make(asked))
      if (until(answer, this) || Date.now() > deadline) return answer
      await sleep(50)
    }
  }

  async #watch(made: Call, { during, count, limitMs = WATCH_MS }: Extract<Step, { kind: 'watch' }>): Promise<Watched> {
    let opened = (): void => {}
    const open = new Promise<void>((resolve) => (opened = resolve))
    const until = (events: readonly unknown[]): boolean => count !== undefined && events.length >= count
    const watching = this.#endpoint.watch(made, until, limitMs, opened)
    // The watch must be open before anything happens.
    await Promise.race([open, watching])
    for (const each of during) await this.#endpoint.send(this.#make(each))
    return watching
  }
}
