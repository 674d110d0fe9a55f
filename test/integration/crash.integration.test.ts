import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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
import { weft } from './weft-command.ts'

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

it(
  `keeps every acknowledged write and every watch whole through ${KILLS} SIGKILLs (seed ${SEED})`,
  { timeout: 300_000 + KILLS * 60_000 },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'weft-crash-'))
    directories.push(dataDir)
    const run = await Run.begin(dataDir, seededRandom(SEED))
    await run.kills()
    await run.end()
    process.stderr.write(`crash test, seed ${SEED}: ${run.summary()}\n`)
    expect(run.verdict.problems, `seed ${SEED}`).toEqual([])
    if (KILLS >= 20) expect(run.superseded, 'some were superseded').toBeGreaterThan(0)
    expect(run.verdict.count, 'the writers must have got something done between the kills').toBeGreaterThan(KILLS)
  },
)

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
  superseded = 0

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
      // Every tenth is not killed but frozen, and another process takes over.
      if (killed % 10 === 9) await this.#supersede()
      else await this.#kill()
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

  /**
   * The server is frozen in the middle of its writes. A second one is refused, then takes over, elsewhere; the first one wakes up, and
   * must end without a word: whatever it acknowledges, before or after, is in what the second one has. Then that one is killed.
   */
  async #supersede(): Promise<void> {
    this.superseded++
    this.#gate.close()
    this.#up = deferred()
    this.#server.pause()
    const refused = await startServer(this.#dataDir, 0).ended
    if (refused.code !== 1) this.verdict.wrong(`a second server was not refused: ${refused.code} ${refused.output}`)
    const second = startServer(this.#dataDir, 0, ['--take-over'])
    await second.ready
    this.#server.resume()
    const { code, output } = await this.#server.ended
    if (code !== 1 || !output.includes('has taken over')) this.verdict.wrong(`the superseded server ended with ${code}: ${output}`)
    await second.kill()
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
    const backup = join(this.#dataDir, 'backup.mdb')
    const taken = await weft('backup', backup, '--data-dir', this.#dataDir)
    if (taken.code !== 0) this.verdict.wrong(`backup: ${taken.output}`)
    const code = await this.#server.stop()
    if (code !== 0) this.verdict.wrong(`exit code ${code} after SIGTERM`)
    await this.#checkRestored(backup, found)
    await this.#checkDamage()
  }

  /** What a backup holds is what was there. */
  async #checkRestored(backup: string, found: ReadonlyMap<string, Json>): Promise<void> {
    const directory = join(this.#dataDir, 'restored')
    const restored = await weft('restore', backup, '--data-dir', directory)
    if (restored.code !== 0) return this.verdict.wrong(`restore: ${restored.output}`)
    const server = startServer(directory, 0)
    await server.ready
    const admin = new Connection(parseKubeconfig(await readFile(join(directory, 'kubeconfig'), 'utf8')))
    const versions = new Map<string, string>()
    for (const kind of KINDS)
      for (const { metadata } of (await admin.call('GET', kind.path)).body.items ?? [])
        versions.set(`${kind.name}/${metadata.name}`, metadata.resourceVersion)
    for (const [key, { metadata }] of found)
      // The server's own: without the keys it has a new certificate authority, and says so there.
      if (metadata.name !== 'kube-root-ca.crt' && versions.get(key) !== metadata.resourceVersion)
        this.verdict.wrong(`restored ${key}: ${versions.get(key)} instead of ${metadata.resourceVersion}`)
    admin.close()
    await server.stop()
  }

  /** A byte of a live value is changed: the check finds it, the start refuses, repair keeps the rest. */
  async #checkDamage(): Promise<void> {
    const file = join(this.#dataDir, 'storage', 'data.mdb')
    const whole = await weft('check', '--data-dir', this.#dataDir)
    if (whole.code !== 0) this.verdict.wrong(`check after all kills: ${whole.output}`)
    const bytes = await readFile(file)
    const at = bytes.lastIndexOf('"shared-counter"')
    bytes[at + 2] = (bytes[at + 2] as number) ^ 1
    await writeFile(file, bytes)
    const checked = await weft('check', '--data-dir', this.#dataDir)
    const isLive = checked.code !== 0
    if (isLive && !/lost|history|file/.test(checked.output)) this.verdict.wrong(`check of damaged data: ${checked.output}`)
    const repaired = await weft('repair', '--data-dir', this.#dataDir, '--yes')
    if (repaired.code !== 0) this.verdict.wrong(`repair: ${repaired.output}`)
    const again = await weft('check', '--data-dir', this.#dataDir)
    if (again.code !== 0) this.verdict.wrong(`check after repair: ${again.output}`)
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
      for (const deadline = Date.now() + 120_000; !same() && Date.now() < deadline;) await sleep(20)
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
    return `${KILLS} kills (${this.#early} while starting, ${this.superseded} frozen and superseded), ${this.verdict.count} acknowledged writes, ${this.#tally.unknown} increments of unknown outcome, ${events} events over ${resumed} resumed watches`
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
