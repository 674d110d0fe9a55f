import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, test } from 'vitest'
import { findCondition } from '../../packages/api/src/index.ts'
import { type BridgedWorld, openBridgedWorld } from './bridged-world.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`tests of Terraform providers are skipped: ${skipped}`)
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const COUNT = 40
const KILLS = 2

/** Our own children that are the provider; no other process on the machine. */
function killProviders(program: string): number {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' }).split('\n')
  const pids = lines.filter((line) => line.includes(program)).map((line) => Number.parseInt(line, 10))
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  return pids.length
}

describe.skipIf(skipped !== undefined || process.platform !== 'linux')('providers that are killed at work', () => {
  test('T206: nothing is made twice, nothing is lost, and whatever nobody knows is said', async () => {
    const program = (built as TerraformProviders).sdk
    const world: BridgedWorld = await openBridgedWorld(program, 'weftsdk_thing')
    ends.push(() => world.close())
    const things = Array.from({ length: COUNT }, (_, at) => world.thing(`t${at}x`, { name: `t${at}x`, mode: 'slow:60ms' }))
    for (const thing of things) await world.apply(thing)
    // Each time when some more are there, and others are being made.
    for (let kill = 1; kill <= KILLS; kill++)
      await world.eventually(() => {
        if (world.operations().length < 5 * kill || killProviders(program) === 0) throw new Error('nothing is at work')
        return Promise.resolve()
      }, 100_000)
    const outcomes = await world.eventually(async () => {
      const found = await Promise.all(
        things.map(async (thing) => {
          const conditions = (await world.find(thing))?.status?.conditions
          if (findCondition(conditions, 'Ready')?.status === 'True') return 'ready'
          return /interrupted at/.test(findCondition(conditions, 'Synced')?.message ?? '') ? 'unknown' : 'under way'
        }),
      )
      expect(found).not.toContain('under way')
      return found
    }, 170_000)
    const made = world.things()
    expect(new Set(made).size, 'nothing is there twice').toBe(made.length)
    for (const [at, thing] of things.entries()) if (outcomes[at] === 'ready') expect(made).toContain(thing.metadata.name)
    expect(outcomes).toContain('ready')
  })
})
