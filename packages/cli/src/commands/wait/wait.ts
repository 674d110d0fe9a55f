import { gvkOf, type KubeObject } from '@weft/api'
import type { Cluster, ClusterOptions } from '../../cluster/index.ts'
import { withCluster } from '../../cluster/index.ts'
import { readManifests } from '../../manifests/index.ts'
import { formatDuration, formatName } from '../../output/index.ts'
import { type TellWhy, withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'
import { type Choice, type NamedObject, namedObjects } from '../../selection/named-objects.ts'
import { describeObject } from '../../selection/targets.ts'
import { namespaceOf } from '../apply/apply-objects.ts'
import { parseWish, type Wish } from './condition.ts'
import { waitForObject } from './wait-for-object.ts'

export interface WaitOptions extends ClusterOptions, Choice {
  readonly for: string
  readonly timeout: number
  readonly filename?: readonly string[]
  readonly recursive?: boolean
}

const WEEK_MS = 7 * 24 * 3600 * 1000

export async function wait(words: readonly string[], options: WaitOptions): Promise<number> {
  const wish = parseWish(options.for)
  const manifests = options.filename === undefined ? undefined : await readManifests(options.filename, options)
  if ((manifests === undefined) === (words.length === 0)) throw new CommandFailure('name what to wait for: TYPE/NAME, or files with -f')
  return withCluster(options, async (cluster) => {
    const named =
      manifests === undefined
        ? await namedObjects(cluster, words, options)
        : await objectsOf(
            cluster,
            manifests.map(({ object }) => object),
          )
    if (named.length === 0) {
      if (wish.outcome === 'deleted') return 0
      throw new CommandFailure('there is no such object to wait for; --for=create waits for one that is named')
    }
    const timeoutMs = options.timeout < 0 ? WEEK_MS : options.timeout
    const signal = AbortSignal.timeout(Math.max(1, timeoutMs))
    const problems = await withProgress(`waiting for ${named.map(({ name }) => name).join(', ')}`, (tell) => {
      const onWhy = process.stderr.isTTY ? whyOfMany(tell, named.length) : undefined
      return tellInOrder(named.map((each) => waitOne(cluster, each, wish, { signal, timeoutMs, onWhy })))
    })
    if (problems.length > 0) throw new CommandFailure(problems.join('\nerror: '))
    return 0
  })
}

async function waitOne(
  cluster: Cluster,
  target: NamedObject,
  wish: Wish,
  { signal, timeoutMs, onWhy }: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly onWhy?: OnWhy | undefined },
): Promise<Waited> {
  const { kind, name, namespace } = target
  const first = await cluster.client.find(kind, { name, namespace })
  const label = `${kind.kind.toLowerCase()}${kind.group === '' ? '' : `.${kind.group}`}/${name}`
  if (first === undefined && !wish.ofMissing)
    return { met: false, text: `${describeObject(kind, name)} not found: --for=create waits for it to come` }
  let last = first
  const onSeen = (object: KubeObject | undefined): void => {
    last = object
    onWhy?.(name, wish.isMet(object) ? undefined : wish.whyNot(object))
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

function objectsOf(cluster: Cluster, objects: readonly KubeObject[]): Promise<readonly NamedObject[]> {
  return Promise.all(
    objects.map(async (object) => {
      if (object.metadata.name === undefined) throw new CommandFailure(`${formatName(object)} has no name to wait for`)
      const kind = await cluster.client.mapping(gvkOf(object))
      return { kind, name: object.metadata.name, namespace: namespaceOf(cluster, kind.namespaced, object) }
    }),
  )
}
