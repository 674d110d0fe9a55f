import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findCondition, formatGroupKind, type KubeObject } from '@weft/api'
import { createClient, httpTransport, loadKubeconfig, type Transport } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { afterAll, expect, it } from 'vitest'
import { between, type Random, seededRandom } from './crash/random.ts'
import { fixedPort, type Server, startServer } from './crash/server.ts'
import { isWanted, type Life, live, planLife } from './managed-crash/lives.ts'
import { openCluster } from './managed-crash/kubernetes.ts'
import { openPostgresql } from './managed-crash/postgresql.ts'
import { openSimulatedCloud } from './managed-crash/simulated-cloud.ts'
import type { Site } from './managed-crash/site.ts'
import { kindOf, User } from './managed-crash/user.ts'

const SEED = Number(process.env['WEFT_CRASH_SEED'] ?? 20_262)
const KILLS = Number(process.env['WEFT_CRASH_KILLS'] ?? 32)
const INSTANCES = 140
const NETWORKS = 30
const DATABASES = 20
const OBJECTS = 20
const RESOURCES = INSTANCES + 2 * NETWORKS + 2 * DATABASES + 2 * OBJECTS
/** For everything; the verdict has to come before the runner gives up. After the last kill creates of unknown outcome are waited for, and failures back off. */
const TOTAL_MS = 2_400_000
const VERDICT_MS = 2_280_000

const cleanUps: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

it(
  `leaves no orphan and no duplicate of ${RESOURCES} resources through ${KILLS} SIGKILLs of the control plane (seed ${SEED})`,
  { timeout: TOTAL_MS },
  async () => {
    const deadline = Date.now() + VERDICT_MS
    const folder = await mkdtemp(join(tmpdir(), 'weft-managed-crash-'))
    cleanUps.push(() => rm(folder, { recursive: true, force: true }))
    const sites: Site[] = []
    for (const open of [
      () => openSimulatedCloud(folder, { instances: INSTANCES, networks: NETWORKS }),
      () => openPostgresql(DATABASES),
      () => openCluster(OBJECTS),
    ]) {
      const site = await open()
      cleanUps.push(() => site.close())
      sites.push(site)
    }
    const run = await Run.begin(join(folder, 'weft'), sites, seededRandom(SEED))
    await run.kills()
    const outcome = await run.outcome(deadline)
    process.stderr.write(`managed crash test, seed ${SEED}: ${run.summary()}\n`)
    // Counted in the external systems themselves.
    for (const { site, wanted, found } of outcome) expect(found, `${site.name}, seed ${SEED}`).toEqual(wanted)
    expect(await run.problems(), `seed ${SEED}`).toEqual([])
    expect(run.moved, 'kills must have come in the middle of things').toBeGreaterThan(KILLS / 3)
  },
)

interface Outcome {
  readonly site: Site
  readonly wanted: readonly string[]
  readonly found: readonly string[]
}

class Run {
  readonly #sites: readonly Site[]
  readonly #random: Random
  readonly #start: () => Server
  readonly #user: User
  readonly #lives: readonly Life[]
  readonly #turns = Array.from({ length: KILLS }, deferred)
  readonly #living: Promise<unknown>
  #server: Server
  #early = 0
  /** Kills after which the external systems had changed since the kill before. */
  moved = 0

  private constructor(
    server: Server,
    start: () => Server,
    transport: Transport,
    { sites, random }: { sites: readonly Site[]; random: Random },
  ) {
    this.#server = server
    this.#start = start
    this.#sites = sites
    this.#random = random
    const ended = new AbortController()
    cleanUps.push(async () => {
      ended.abort(new Error('the test is over'))
      await transport.close()
      await this.#server.kill()
    })
    this.#user = new User(createClient({ transport }), ended.signal)
    this.#lives = sites.flatMap(({ groups }) => groups.map((group) => planLife(group, KILLS, random)))
    this.#living = Promise.all(this.#lives.map((life) => live(life, this.#user, (turn) => this.#turns[turn]?.promise ?? Promise.resolve())))
    this.#living.catch(() => undefined)
  }

  static async begin(dataDir: string, sites: readonly Site[], random: Random): Promise<Run> {
    const port = await fixedPort()
    const start = (): Server => startServer(dataDir, port, ['--provider', 'gcp', 'postgresql', 'kubernetes'])
    const server = start()
    await server.ready
    const { namespace: _, ...connection } = await loadKubeconfig({ paths: [join(dataDir, 'kubeconfig')] })
    const run = new Run(server, start, httpTransport(connection), { sites, random })
    for (const object of sites.flatMap(({ objects }) => objects)) await run.#user.create(object)
    return run
  }

  async kills(): Promise<void> {
    let before = await this.#inventories()
    for (let killed = 0; killed < KILLS; killed++) {
      this.#turns[killed]?.resolve()
      await this.#someWork(before)
      await this.#server.kill()
      const after = await this.#inventories()
      if (after !== before) this.moved++
      before = after
      this.#server = this.#start()
      // Now and then also while it is still starting.
      if (this.#random() < 0.15 && killed + 1 < KILLS) {
        await sleep(between(this.#random, 0, 600))
        await this.#server.kill()
        this.#turns[++killed]?.resolve()
        this.#early++
        this.#server = this.#start()
      }
      await this.#server.ready
    }
  }

  /** Mostly until the external systems have changed, or nothing is under way, so that a slow machine does no less; now and then just a moment. */
  async #someWork(before: string): Promise<void> {
    if (this.#random() < 0.75)
      for (let quiet = 0; quiet < 3 && (await this.#inventories()) === before;) {
        quiet = (await this.#isQuiet()) ? quiet + 1 : 0
        await sleep(quiet > 0 ? 300 : 20)
      }
    await sleep(between(this.#random, 0, 400))
  }

  /** Everything that is there is Ready, and nothing is going. */
  async #isQuiet(): Promise<boolean> {
    const kinds = new Map(
      this.#lives.flatMap(({ group }) => group.map((object) => [formatGroupKind(kindOf(object)), kindOf(object)] as const)),
    )
    const objects = await this.#user.list([...kinds.values()])
    return objects.every(
      (object) => object.metadata.deletionTimestamp === undefined && findCondition(conditionsOf(object), 'Ready')?.status === 'True',
    )
  }

  async #inventories(): Promise<string> {
    return JSON.stringify(await Promise.all(this.#sites.map((site) => site.inventory())))
  }

  /** Gives the control plane, which is no longer killed, time to get everything right. */
  async outcome(deadline: number): Promise<readonly Outcome[]> {
    await this.#living
    for (;;) {
      const outcome: Outcome[] = await Promise.all(
        this.#sites.map(async (site) => ({ site, wanted: this.#wantedAt(site).map(site.nameOf).sort(), found: await site.inventory() })),
      )
      const same = outcome.every(({ wanted, found }) => JSON.stringify(wanted) === JSON.stringify(found))
      if ((same && (await this.#unsettled()).length === 0) || Date.now() > deadline) return outcome
      await sleep(500)
    }
  }

  #wantedAt({ groups }: Site): readonly KubeObject[] {
    return this.#lives.filter((life) => isWanted(life) && groups.includes(life.group)).flatMap(({ group }) => group)
  }

  /** Objects that are not Ready, or that should be gone. */
  async #unsettled(): Promise<readonly string[]> {
    const kinds = new Map(
      this.#lives.flatMap(({ group }) => group.map((object) => [formatGroupKind(kindOf(object)), kindOf(object)] as const)),
    )
    const there = new Map((await this.#user.list([...kinds.values()])).map((object) => [keyOf(object), object]))
    const wanted = new Set(this.#sites.flatMap((site) => this.#wantedAt(site)).map(keyOf))
    const surplus = [...there.keys()].filter((key) => !wanted.has(key)).map((key) => `${key} should be gone`)
    const waiting = [...wanted].filter((key) => findCondition(conditionsOf(there.get(key) ?? NOTHING), 'Ready')?.status !== 'True')
    return [...surplus, ...waiting.map((key) => `${key} is not Ready: ${JSON.stringify(there.get(key)?.['status'])}`)]
  }

  /** Everything else that may be wrong in the end. */
  async problems(): Promise<readonly string[]> {
    const problems = [...(await this.#unsettled())]
    for (const site of this.#sites)
      for (const wanted of this.#wantedAt(site)) {
        const resource = await this.#user.find(wanted)
        const problem = resource && (await site.problemOf(resource, await this.#user.secretOf(resource)))
        if (problem !== undefined) problems.push(`${site.nameOf(wanted)} ${problem}`)
      }
    const code = await this.#server.stop()
    if (code !== 0) problems.push(`exit code ${code} after SIGTERM`)
    return problems
  }

  summary(): string {
    const steps = this.#lives.reduce((sum, { group, steps: taken }) => sum + group.length * taken.length, 0)
    const wanted = this.#sites.map((site) => `${this.#wantedAt(site).length} on ${site.name}`).join(', ')
    return `${KILLS} kills (${this.#early} while starting, ${this.moved} after the external systems had changed), ${steps} creates and deletes; in the end ${wanted}`
  }
}

const NOTHING: KubeObject = { apiVersion: '', kind: '', metadata: {} }

const keyOf = (object: KubeObject): string => `${object.kind}/${object.metadata.name ?? ''}`

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
