import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { Connection, type Json } from './crash/connection.ts'
import { count, createCounter, readCounter, type Tally } from './crash/counter.ts'
import { Follower } from './crash/follower.ts'
import { Gate } from './crash/gate.ts'
import { configMaps, type Kind, NAMESPACE, widgetDefinition, widgets } from './crash/kinds.ts'
import { between, type Random, seededRandom } from './crash/random.ts'
import { fixedPort, type Server, startServer } from './crash/server.ts'
import { Verdict } from './crash/verdict.ts'
import { Writer } from './crash/writer.ts'
import { type Credentials, parseKubeconfig } from './credentials.ts'

const SEED = Number(process.env['WEFT_CRASH_SEED'] ?? 20_261)
const KILLS = Number(process.env['WEFT_CRASH_KILLS'] ?? 50)
const WRITERS = 12
const COUNTERS = 3
const OBJECTS_PER_WRITER = 4
const KINDS: readonly Kind[] = [configMaps, widgets]
const SELECTORS = ['', '', 'parity=even']

const directories: string[] = []
afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

it(`keeps every acknowledged write and every watch whole through ${KILLS} SIGKILLs (seed ${SEED})`, { timeout: 230_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'weft-crash-'))
  directories.push(dataDir)
  const run = await Run.begin(dataDir, seededRandom(SEED))
  await run.kills()
  await run.end()
  process.stderr.write(`crash test, seed ${SEED}: ${run.summary()}\n`)
  expect(run.verdict.problems, `seed ${SEED}`).toEqual([])
  expect(run.verdict.count, 'the writers must have got something done between the kills').toBeGreaterThan(KILLS)
})

class Run {
  readonly verdict = new Verdict()
  readonly #random: Random
  readonly #dataDir: string
  readonly #port: number
  readonly #gate = new Gate(WRITERS + COUNTERS)
  readonly #tally: Tally = { acknowledged: 0, unknown: 0 }
  #server: Server
  #up: { readonly promise: Promise<void>; readonly resolve: () => void } = deferred()
  #credentials: Credentials = { server: '', ca: '', cert: '', key: '' }
  #writers: readonly Writer[] = []
  #followers: readonly Follower[] = []
  #running: readonly Promise<void>[] = []
  #stopped = false
  #early = 0

  private constructor(dataDir: string, port: number, random: Random) {
    this.#dataDir = dataDir
    this.#port = port
    this.#random = random
    this.#server = startServer(dataDir, port)
  }

  static async begin(dataDir: string, random: Random): Promise<Run> {
    const run = new Run(dataDir, await fixedPort(), random)
    await run.#server.ready
    run.#credentials = parseKubeconfig(await readFile(join(dataDir, 'kubeconfig'), 'utf8'))
    await run.#prepare()
    return run
  }

  async #prepare(): Promise<void> {
    const admin = new Connection(this.#credentials)
    await admin.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
    await admin.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition)
    while ((await admin.call('GET', widgets.path).catch(() => ({ status: 0 }))).status !== 200) await sleep(20)
    // The namespace's own objects come from a controller: those must not arrive between the lists of the followers.
    while ((await admin.call('GET', `${configMaps.path}/kube-root-ca.crt`)).status !== 200) await sleep(20)
    await createCounter(admin)
    admin.close()
    const parts = { credentials: this.#credentials, gate: this.#gate, verdict: this.verdict }
    this.#writers = Array.from({ length: WRITERS }, (_, id) => {
      const random = seededRandom(SEED * 1000 + id)
      return new Writer({ ...parts, id, kinds: KINDS, objects: OBJECTS_PER_WRITER, random })
    })
    this.#followers = KINDS.flatMap((kind) => SELECTORS.map((selector) => new Follower(kind, selector, this.#credentials, this.verdict)))
    const follows = await Promise.all(this.#followers.map((follower) => follower.start()))
    const counting = Array.from({ length: COUNTERS }, () => count({ ...parts, tally: this.#tally, stopped: () => this.#stopped }))
    this.#running = [
      ...counting,
      ...this.#writers.map((writer) => writer.run()),
      ...follows.map((follow) => follow(() => this.#up.promise)),
    ]
    this.#up.resolve()
    this.#gate.open()
  }

  async kills(): Promise<void> {
    for (let killed = 0; killed < KILLS; killed++) {
      await this.#someWork()
      await this.#kill()
      this.#server = startServer(this.#dataDir, this.#port)
      // Now and then also while it is still starting: what it repairs or writes then must not matter either.
      while (this.#random() < 0.15 && killed + 1 < KILLS) {
        await sleep(between(this.#random, 0, 400))
        await this.#server.kill()
        killed++
        this.#early++
        this.#server = startServer(this.#dataDir, this.#port)
      }
      await this.#server.ready
      this.#up.resolve()
      await this.#check()
      this.#gate.open()
    }
  }

  /** Mostly counted in writes, so that a slow machine does no less; now and then just a moment, to kill what has hardly begun. */
  async #someWork(): Promise<void> {
    if (this.#random() < 0.25) await sleep(between(this.#random, 0, 200))
    else {
      await this.verdict.more(between(this.#random, 1, 200))
      await sleep(between(this.#random, 0, 6))
    }
  }

  async #kill(): Promise<void> {
    this.#gate.close()
    this.#up = deferred()
    await this.#server.kill()
    await this.#gate.allWaiting()
  }

  /** Nobody writes: what the server has must be what the writers know. */
  async #check(): Promise<ReadonlyMap<string, Json>> {
    const admin = new Connection(this.#credentials)
    const found = new Map<string, Json>()
    for (const kind of KINDS) {
      const { status, body } = await admin.call('GET', kind.path)
      if (status !== 200) this.verdict.wrong(`list of ${kind.name}: ${status} ${body.message}`)
      if (Number(body.metadata.resourceVersion) < this.verdict.highest)
        this.verdict.wrong(`list of ${kind.name} is at ${body.metadata.resourceVersion}, after ${this.verdict.highest} was acknowledged`)
      for (const item of body.items ?? []) found.set(`${kind.name}/${item.metadata.name}`, item)
    }
    for (const writer of this.#writers) writer.check(found)
    const counter = await readCounter(admin)
    const { acknowledged, unknown } = this.#tally
    if (counter < acknowledged || counter > acknowledged + unknown)
      this.verdict.wrong(`the counter is ${counter} after ${acknowledged} acknowledged increments and ${unknown} of unknown outcome`)
    admin.close()
    return found
  }

  /** A last check, the watches' check, and an orderly end. */
  async end(): Promise<void> {
    await this.verdict.more(50)
    this.#gate.close()
    await this.#gate.allWaiting()
    const found = await this.#check()
    await this.#untilFollowed(found)
    this.#checkLogs()
    this.#stopped = true
    for (const each of [...this.#writers, ...this.#followers]) each.stop()
    this.#gate.open()
    this.#up.resolve()
    await Promise.all(this.#running)
    const code = await this.#server.stop()
    if (code !== 0) this.verdict.wrong(`exit code ${code} after SIGTERM`)
  }

  /** Watches have no end: give them time to see what is already there, then compare. */
  async #untilFollowed(found: ReadonlyMap<string, Json>): Promise<void> {
    for (const follower of this.#followers) {
      const expected = new Map<string, string>()
      for (const [key, { metadata }] of found) {
        const selected = follower.selector === '' || `parity=${metadata.labels?.['parity']}` === follower.selector
        if (key.startsWith(`${follower.kind.name}/`) && selected) expected.set(metadata.name, metadata.resourceVersion)
      }
      const same = (): boolean =>
        follower.state.size === expected.size && [...expected].every(([name, version]) => follower.state.get(name) === version)
      for (const deadline = Date.now() + 10_000; !same() && Date.now() < deadline;) await sleep(20)
      if (!same()) {
        const different = [...expected].filter(([name, version]) => follower.state.get(name) !== version)
        const surplus = [...follower.state.keys()].filter((name) => !expected.has(name))
        this.verdict.wrong(
          `watch of ${follower.kind.name} ${follower.selector} ended with another state: ${JSON.stringify({ different, surplus })}`,
        )
      }
    }
  }

  /** Watches of the same saw the same, each acknowledged write among it. */
  #checkLogs(): void {
    for (const kind of KINDS) {
      const [first, second] = this.#followers.filter((follower) => follower.kind === kind && follower.selector === '')
      if (first === undefined || second === undefined) throw new Error('two watches without selector are needed')
      const at = first.log.findIndex((line, i) => line !== second.log[i])
      if (at >= 0 || first.log.length !== second.log.length)
        this.verdict.wrong(`two watches of ${kind.name} differ at event ${at}: ${first.log[at]} and ${second.log[at]}`)
      const seen = new Set(first.log.map((line) => Number(line.split(' ', 1)[0])))
      for (const revision of this.verdict.revisions(kind))
        if (!seen.has(revision)) this.verdict.wrong(`watch of ${kind.name}: the acknowledged write ${revision} was never seen`)
    }
  }

  summary(): string {
    const events = this.#followers.reduce((sum, { log }) => sum + log.length, 0)
    const resumed = this.#followers.reduce((sum, follower) => sum + follower.resumed, 0)
    return `${KILLS} kills (${this.#early} while starting), ${this.verdict.count} acknowledged writes, ${this.#tally.unknown} increments of unknown outcome, ${events} events over ${resumed} resumed watches`
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
