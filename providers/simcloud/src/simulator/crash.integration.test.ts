import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ConflictError, NotFoundError, SimCloudAdmin, SimCloudClient, UnavailableError } from '../client/index.ts'
import { seededRandom } from './faults/seeded-random.ts'
import { type SimulatorProcess, startSimulatorProcess } from './simulator-process.ts'

const KILLS = 30
const WORKERS = 8
const NAMES = 6

/** What a worker knows of one name: what may be true after the answers it got and those it did not get. */
interface Belief {
  /** undefined = it does not exist; '?' = it exists and nobody told us its id. */
  possible: Set<string | undefined>
}

it(
  `what was answered holds across ${KILLS} kills: nothing lost, nothing twice, nothing back from the dead`,
  { timeout: 240_000 },
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'simcloud-'))
    const stateFile = join(directory, 'state')
    const start = (port?: number): Promise<SimulatorProcess> =>
      startSimulatorProcess({ stateFile, delayMs: 0, adminToken: 'admin-token-of-the-test', ...(port !== undefined && { port }) })
    let simulator = await start()
    const admin = new SimCloudAdmin({ endpoint: simulator.url, token: simulator.adminToken })
    await admin.putAccount('gcp', 'p', { tokens: [{ token: 'token-of-the-test', role: 'editor' }] })
    const client = new SimCloudClient({ endpoint: simulator.url, cloud: 'gcp', account: 'p', token: 'token-of-the-test', timeoutMs: 5_000 })
    const beliefs = new Map<string, Belief>()
    let running = true
    let answered = 0

    const work = async (worker: number): Promise<void> => {
      const random = seededRandom(worker)
      const names = Array.from({ length: NAMES }, (_, i) => `w${worker}-${i}`)
      for (const name of names) beliefs.set(name, { possible: new Set([undefined]) })
      while (running) {
        const name = names[Math.floor(random() * NAMES)] as string
        const belief = beliefs.get(name) as Belief
        try {
          await step(client, name, belief, random() < 0.6)
          answered++
        } catch (error) {
          if (!(error instanceof UnavailableError)) throw error
          await delay(20)
        }
      }
    }

    const workers = Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)))
    // A worker that finds a contradiction must stop the test, not the next kill.
    const failed = workers.then(() => undefined)
    const random = seededRandom(42)
    for (let kill = 0; kill < KILLS; kill++) {
      await Promise.race([delay(30 + random() * 250), failed])
      await simulator.kill()
      simulator = await start(simulator.port)
    }
    running = false
    await workers

    let existing = 0
    for (const [name, { possible }] of beliefs) {
      const id = await client.get('networks', name).then((found) => found.id, ignoring(NotFoundError))
      expect(matches(possible, id), `${name} is ${id}, believed ${[...possible].join(' or ')}`).toBe(true)
      if (id !== undefined) existing++
    }
    const inventory = await admin.resources({ account: 'p' })
    expect(inventory.count).toBe(existing)
    expect(new Set(inventory.items.map(({ name }) => name)).size).toBe(existing)
    expect(answered).toBeGreaterThan(KILLS * 10)
    await simulator.stop()
    rmSync(directory, { recursive: true })
  },
)

/** One create or delete; checks the answer against what is believed, and believes what follows from it. */
async function step(client: SimCloudClient, name: string, belief: Belief, create: boolean): Promise<void> {
  const before = belief.possible
  // Until the answer is here, either may be true.
  belief.possible = new Set([...before, create ? '?' : undefined])
  if (create) {
    const token = `token-${name}`
    const made = await client.create('networks', name, {}, { clientToken: token })
    const known = [...before].filter((id) => id !== undefined && id !== '?')
    // The token answers what exists. Another id than the known one means that the known one was lost, unless it may have been deleted.
    if (!before.has(undefined) && !before.has('?')) expect(known).toContain(made.id)
    belief.possible = new Set([made.id])
    return
  }
  const gone = await client.delete('networks', name).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotFoundError) return false
      if (error instanceof ConflictError) throw new Error(`delete of ${name} met ${error.code}`)
      throw error
    },
  )
  if (gone)
    expect(
      [...before].some((id) => id !== undefined),
      `${name} came back from the dead`,
    ).toBe(true)
  else expect(before.has(undefined), `${name} was lost`).toBe(true)
  belief.possible = new Set([undefined])
}

const matches = (possible: ReadonlySet<string | undefined>, id: string | undefined): boolean =>
  possible.has(id) || (id !== undefined && possible.has('?'))

const ignoring =
  (type: typeof NotFoundError) =>
  (error: unknown): undefined => {
    if (!(error instanceof type)) throw error
  }
