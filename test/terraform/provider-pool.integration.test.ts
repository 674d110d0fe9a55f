import { readdir } from 'node:fs/promises'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { GrpcCode } from '../../packages/grpc/src/index.ts'
import {
  askSchema,
  blockType,
  type CallLimits,
  encodeMsgpack,
  type PoolOptions,
  type PoolRequest,
  type ProviderClient,
  ProviderPool,
  type ProviderSchema,
  ProviderUnavailableError,
  readStoredSchema,
  ResourceDriver,
} from '../../packages/terraform/src/index.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'
import { configOf } from './configured-provider.ts'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`tests of Terraform providers are skipped: ${skipped}`)
const silent = { write: () => undefined }

/** The letter after the name, which may hold anything. */
const stateOf = (stat: string): string => stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)

/** So many processes are left: the one that was asked for the schema may still be leaving. */
async function settled(running: () => Promise<string[]>, count: number): Promise<string[]> {
  await expect.poll(async () => (await running()).length).toBe(count)
  return running()
}

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

describe.skipIf(skipped !== undefined)('the pool', () => {
  const providers = built as TerraformProviders

  async function open(options: Partial<PoolOptions> = {}) {
    const root = mkdtempSync(join(tmpdir(), 'wtf'))
    const things = mkdtempSync(join(tmpdir(), 'weft-things-'))
    const pool = new ProviderPool({ log: () => silent, root, ...options })
    ends.push(
      () => rmSync(root, { recursive: true, force: true }),
      () => rmSync(things, { recursive: true, force: true }),
      () => pool.close(),
    )
    const schema: ProviderSchema = readStoredSchema(await askSchema(providers.sdk, { log: silent, root }))
    const { block } = schema.provider
    const request = (subject: string, config: object = {}): PoolRequest => ({
      executable: providers.sdk,
      programHash: 'hash',
      config: encodeMsgpack(blockType(block), configOf(block, { directory: things, ...config })),
      env: {},
      schemaOptional: schema.capabilities.schemaOptional,
      subject,
    })
    const make = async (client: ProviderClient, name: string, mode?: string): Promise<unknown> => {
      const driver = new ResourceDriver(client, schema, 'weftsdk_thing')
      return driver.apply(await driver.plan(undefined, configOf(driver.schema.block, { name, ...(mode !== undefined && { mode }) })))
    }
    const run = (subject: string, mode?: string, config?: object): Promise<unknown> =>
      pool.use(request(subject, config), (client) => make(client, subject, mode))
    const running = (): Promise<string[]> => readdir(root)
    return { pool, request, run, running, things, root }
  }

  test('T24: has one process for a configuration, another for another', async () => {
    const { pool, run, running } = await open()
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => run(name)))
    await settled(running, 1)
    await run('e', undefined, { api_key: 'other' })
    expect(await running()).toHaveLength(2)
    expect(pool.size).toBe(2)
    await pool.close()
    expect(await running()).toEqual([])
    await expect(run('f')).rejects.toBeInstanceOf(ProviderUnavailableError)
  })

  test('T198: stops a process that nobody needs, never one that somebody uses, and starts it again', async () => {
    const { pool, run } = await open({ idleMs: 20 })
    const slow = run('slow', 'slow:300ms')
    await run('a')
    await slow
    await expect.poll(() => pool.size).toBe(0)
    await run('b')
  })

  test('T28: runs no more processes than it may: those at rest make room, others are waited for', async () => {
    const { pool, run, running } = await open({ maxProcesses: 1 })
    await run('a')
    await Promise.all([
      run('slow', 'slow:200ms', { api_key: 'x' }),
      run('b', undefined, { api_key: 'y' }),
      run('c', undefined, { api_key: 'z' }),
    ])
    expect(pool.size).toBeLessThanOrEqual(1)
    await expect.poll(async () => (await running()).length).toBeLessThanOrEqual(1)
  })

  test('T166: asks for a refused configuration once, not once for every resource', async () => {
    const { run, running } = await open()
    const refusals = await Promise.allSettled(['a', 'b', 'c'].map((name) => run(name, undefined, { api_key: 'wrong' })))
    for (const refusal of refusals) expect(String((refusal as PromiseRejectedResult).reason)).toContain('the key is not accepted')
    await expect(run('d', undefined, { api_key: 'wrong' })).rejects.toThrow('the key is not accepted')
    await settled(running, 0)
  })

  test('T21: a crash is survived, and who caused it is found and kept out', async () => {
    let now = 0
    const { run } = await open({ now: () => now })
    const innocent = run('innocent', 'slow:60s')
    await run('bystander')
    await expect(run('culprit', 'panic')).rejects.toMatchObject({ code: 14 })
    await expect(innocent).rejects.toMatchObject({ code: 14 })
    await expect(run('somebody'), 'restarted with a back-off').rejects.toBeInstanceOf(ProviderUnavailableError)
    now += 60_000
    await run('somebody')
    await run('innocent', 'slow:1ms')
    // On its own now: it takes nobody along, and is proven.
    const other = run('other', 'slow:300ms')
    await expect(run('culprit', 'panic')).rejects.toMatchObject({ code: 14 })
    await other
    now += 5_000
    await expect(run('culprit')).rejects.toThrow(/tried again later/)
    await run('innocent')
    now += 60_000
    await run('culprit')
  })

  test('T182: a new process takes over when asked, and the old one finishes its calls', async () => {
    const { pool, request, run, running } = await open({ renewAfterMs: 0 })
    const slow = run('slow', 'slow:300ms')
    await run('a')
    const [old] = await settled(running, 1)
    pool.renew(request('a'))
    await run('b')
    // Whether the slow call is over by now is the machine's affair; that it is answered is ours.
    expect((await running()).filter((each) => each !== old)).toHaveLength(1)
    await slow
    await expect.poll(running).not.toContain(old)
    expect(await running()).toHaveLength(1)
  })

  test.skipIf(process.platform !== 'linux')(
    'a process that does not answer gets no more calls, and others are served by a new one',
    async () => {
      const { pool, request, run, running, root } = await open({ lookMs: 5_000 })
      await run('a')
      const [directory] = await settled(running, 1)
      const { program } = JSON.parse(readFileSync(join(root, directory ?? '', 'owner'), 'utf8')) as { program: { pid: number } }
      process.kill(program.pid, 'SIGSTOP')
      // On a busy machine threads of it go on until the one that takes the signal has its turn.
      const states = (): readonly string[] =>
        readdirSync(`/proc/${program.pid}/task`).map((thread) => stateOf(readFileSync(`/proc/${program.pid}/task/${thread}/stat`, 'utf8')))
      await expect.poll(() => states().every((state) => state === 'T')).toBe(true)
      await expect(pool.use(request('b'), (client) => client.validateResource('weftsdk_thing', Uint8Array.of(0xc0)))).rejects.toMatchObject(
        {
          code: GrpcCode.DeadlineExceeded,
        },
      )
      await run('c')
      // What was stopped is ended all the same.
      await expect.poll(async () => (await running()).includes(directory ?? '')).toBe(false)
    },
  )

  test('T164: keeps the limits of a configuration', async () => {
    const { pool, request } = await open()
    let [running, most] = [0, 0]
    const begun: number[] = []
    const call = (name: string, limits: CallLimits): Promise<void> =>
      pool.use({ ...request(name), limits }, async () => {
        begun.push(performance.now())
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 20))
        running--
      })
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => call(name, { concurrency: 2 })))
    expect(most).toBe(2)
    begun.length = 0
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => call(name, { callsPerMinute: 1_200 })))
    expect((begun.at(-1) ?? 0) - (begun[0] ?? 0), 'three times 50 ms apart').toBeGreaterThan(140)
  })
})
