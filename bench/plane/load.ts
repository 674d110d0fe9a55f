import { setTimeout as sleep } from 'node:timers/promises'
import type { GroupKind, JsonObject, KubeObject } from '@weft/api'
import { follow, type Follower } from './follower.ts'
import type { Plane } from './plane.ts'

/** What is created, and expected to become Ready. */
export interface Subject {
  readonly kind: GroupKind
  object(name: string): KubeObject
}

export interface LoadResult {
  readonly count: number
  /** From the first request until the last object was seen Ready. */
  readonly seconds: number
  /** Of the control plane, all of it: serving the requests and reconciling. */
  readonly cpuSeconds: number
  /** Of `seconds`, those in which its main thread could have run but other processes had the cores. */
  readonly waitedSeconds: number
  /** Revisions of the store for each object: the request, everything that controllers wrote, and events. */
  readonly writes: number
  /** From just before the request until the object was seen Ready over a watch. Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const CLIENTS = 32
/** Without one more that is Ready. */
const GIVE_UP_MS = 30_000
const WARM_UP_MS = 600_000
/** At most. */
const SETTLE_MS = 120_000

/** All at once: as fast as this many clients get them accepted. What is not Ready yet queues up, so time to Ready grows with the number. */
export const burst = (plane: Plane, subject: Subject, prefix: string, count: number): Promise<LoadResult> =>
  load(plane, created(plane, subject, { prefix, count }), (send) => atOnce(count, send))

/** A merge patch to all of them at once, and from each until `seen` has named it: its members may have to be seen, not itself. */
export const edit = (
  plane: Plane,
  { kind }: Subject,
  {
    names,
    body,
    ...seen
  }: { names: readonly string[]; body: JsonObject; follow: GroupKind; seen: (object: KubeObject) => string | undefined },
): Promise<LoadResult> =>
  load(
    plane,
    {
      ...seen,
      names,
      send: (name) => plane.client.patch(kind, { name }, { type: 'merge', body }),
      find: (name) => plane.client.find(kind, { name }),
    },
    (send) => atOnce(names.length, send),
  )

async function atOnce(count: number, send: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const client = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) await send(i)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

/**
 * Makes some and removes them again, so that what is measured afterwards neither pays for compiling the code that all use nor finds anything
 * there. `leftovers`: kinds that have to be gone too.
 */
export async function warmUp(plane: Plane, subject: Subject, count: number, leftovers: readonly GroupKind[] = []): Promise<void> {
  await burst(plane, subject, 'warm-up', count)
  await plane.client.deleteAll(subject.kind, { namespace: subject.object('').metadata.namespace })
  for (const kind of [subject.kind, ...leftovers])
    for (const deadline = Date.now() + WARM_UP_MS; (await plane.client.list(kind, { limit: 1 })).items.length > 0; await sleep(200))
      if (Date.now() > deadline) throw new Error(`objects of kind ${kind.kind} are not gone after ${WARM_UP_MS / 1000} s`)
  await settle(plane, subject.kind)
}

/** At a rate that leaves the control plane time to breathe: what somebody waits who applies one object. */
export const paced = (
  plane: Plane,
  subject: Subject,
  prefix: string,
  { count, perSecond }: { count: number; perSecond: number },
): Promise<LoadResult> =>
  load(plane, created(plane, subject, { prefix, count }), async (create) => {
    const begun = performance.now()
    const sent: Promise<void>[] = []
    for (let i = 0; i < count; i++) {
      const wait = begun + (i * 1000) / perSecond - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      sent.push(create(i))
    }
    await Promise.all(sent)
  })

/** What is sent for each of some names, and where it is seen that it has been done. */
interface Work {
  readonly names: readonly string[]
  readonly follow: GroupKind
  readonly seen?: (object: KubeObject) => string | undefined
  send(name: string): Promise<unknown>
  /** For the message about one that does not get there. */
  find(name: string): Promise<unknown>
}

const created = ({ client }: Plane, { kind, object }: Subject, { prefix, count }: { prefix: string; count: number }): Work => ({
  names: Array.from({ length: count }, (_, i) => `${prefix}-${i}`),
  follow: kind,
  send: (name) => client.create(object(name)),
  find: (name) => client.find(kind, { name, namespace: object(name).metadata.namespace }),
})

async function load(plane: Plane, work: Work, send: (one: (i: number) => Promise<void>) => Promise<void>): Promise<LoadResult> {
  const count = work.names.length
  const follower = await follow(plane.client, work.follow, work.seen)
  const sentAt = new Map<string, number>()
  const revisionBefore = await revisionOf(plane, work.follow)
  const [cpuBefore, waitedBefore] = [plane.cpuSeconds(), plane.waitedSeconds()]
  const begun = performance.now()
  try {
    await send(async (i) => {
      const name = work.names[i] ?? ''
      sentAt.set(name, performance.now())
      await work.send(name)
    })
    await untilAllDone(plane, work, follower)
  } finally {
    follower.stop()
  }
  const seconds = (performance.now() - begun) / 1000
  const cpuSeconds = plane.cpuSeconds() - cpuBefore
  const waitedSeconds = plane.waitedSeconds() - waitedBefore
  const writes = ((await revisionOf(plane, work.follow)) - revisionBefore) / count
  const latencies = [...sentAt].map(([name, at]) => (follower.readyAt.get(name) ?? Number.NaN) - at).sort((a, b) => a - b)
  const quantile = (q: number): number => latencies[Math.min(latencies.length - 1, Math.floor(q * latencies.length))] ?? Number.NaN
  return { count, seconds, cpuSeconds, waitedSeconds, writes, p50: quantile(0.5), p99: quantile(0.99), max: quantile(1) }
}

/** A control plane that does not get there says about one object why not. */
async function untilAllDone({ process }: Plane, { names, find }: Work, follower: Follower): Promise<void> {
  for (let before = -1; follower.readyAt.size < names.length && follower.readyAt.size !== before;) {
    before = follower.readyAt.size
    await Promise.race([follower.until(names.length), sleep(GIVE_UP_MS, undefined, { ref: false })])
  }
  const missing = names.find((name) => !follower.readyAt.has(name))
  if (missing === undefined) return
  throw new Error(
    `${follower.readyAt.size} of ${names.length} are done, and no more become so; ${missing}: ${JSON.stringify(await find(missing), undefined, 1)}\n${process.output().slice(-2_000)}`,
  )
}

/** Waits until nothing is written any more: events come after what they tell of. */
export async function settle(plane: Plane, kind: GroupKind): Promise<void> {
  let before = -1
  for (const deadline = Date.now() + SETTLE_MS; Date.now() < deadline; await sleep(2_000)) {
    const revision = await revisionOf(plane, kind)
    if (revision === before) return
    before = revision
  }
}

/** Revisions count writes, of all kinds. */
export const revisionOf = async ({ client }: Plane, kind: GroupKind): Promise<number> =>
  Number((await client.list(kind, { limit: 1 })).metadata.resourceVersion)
