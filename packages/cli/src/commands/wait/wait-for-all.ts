import type { KubeObject } from '@weft/api'
import type { Cluster } from '../../cluster/index.ts'
import { formatDuration } from '../../output/index.ts'
import { type TellWhy, withProgress } from '../../progress.ts'
import type { NamedObject } from '../../selection/named-objects.ts'
import { describeObject } from '../../selection/targets.ts'
import type { Wish } from './condition.ts'
import { waitForObject } from './wait-for-object.ts'

/**
 * Waits until all of them are as wished, each for at most so long, and prints a line for each that is, in the order in which they were named. Answers what was
 * not met, in sentences. At a terminal it says meanwhile why.
 */
export async function waitForAll(
  cluster: Cluster,
  named: readonly NamedObject[],
  wish: Wish,
  timeoutMs: number,
): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(Math.max(1, timeoutMs))
  return withProgress(
    `waiting for ${named.map(({ name }) => name).join(', ')}`,
    (tell) => {
      const onWhy = whyOfMany(tell, named.length)
      return tellInOrder(named.map((each) => waitOne(cluster, each, wish, { signal, timeoutMs, onWhy })))
    },
    { atTerminal: true },
  )
}

async function waitOne(
  cluster: Cluster,
  target: NamedObject,
  wish: Wish,
  { signal, timeoutMs, onWhy }: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly onWhy: OnWhy },
): Promise<Waited> {
  const { kind, name, namespace } = target
  const first = await cluster.client.find(kind, { name, namespace })
  const label = `${kind.kind.toLowerCase()}${kind.group === '' ? '' : `.${kind.group}`}/${name}`
  if (first === undefined && !wish.ofMissing)
    return { met: false, text: `${describeObject(kind, name)} not found: --for=create waits for it to come` }
  let last = first
  const onSeen = (object: KubeObject | undefined): void => {
    last = object
    onWhy(name, wish.isMet(object) ? undefined : wish.whyNot(object))
  }
  onSeen(first)
  // Gone is gone, even when somebody makes another one of that name at once.
  const uid = wish.outcome === 'deleted' ? first?.metadata.uid : undefined
  const met =
    wish.isMet(first) ||
    (timeoutMs > 0 && (await waitForObject(cluster, { ...target, uid }, (object) => wish.isMet(object), { signal, onSeen })))
  return met
    ? { met, text: `${label} ${wish.outcome}` }
    : { met, text: `${label}: timed out after ${formatDuration(timeoutMs)} waiting for ${wish.text}: ${wish.whyNot(last)}` }
}

/** Why an object is still waited for; undefined once it is not. */
type OnWhy = (name: string, why: string | undefined) => void

/** Of several, the first that is still waited for says why, by name. */
function whyOfMany(tell: TellWhy, count: number): OnWhy {
  const reasons = new Map<string, string>()
  return (name, why) => {
    if (why === undefined) reasons.delete(name)
    else reasons.set(name, why)
    const [first] = reasons
    if (first !== undefined) tell(count === 1 ? first[1] : `${reasons.size} of ${count} left, ${first[0]}: ${first[1]}`)
  }
}

interface Waited {
  readonly met: boolean
  readonly text: string
}

/** All are waited for at once, and told of in the order in which they were named. Answers what was not met. */
async function tellInOrder(waits: readonly Promise<Waited>[]): Promise<readonly string[]> {
  // One that fails while another is waited for is heard of in its turn.
  for (const each of waits) each.catch(() => undefined)
  const problems: string[] = []
  for (const each of waits) {
    const { met, text } = await each
    if (met) process.stdout.write(`${text}\n`)
    else problems.push(text)
  }
  return problems
}
