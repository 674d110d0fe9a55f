import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ProviderProcess, removeAbandoned, startProvider } from '../../packages/terraform/src/index.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'
import { configOf, openProvider } from './configured-provider.ts'

const BUILD_MS = 900_000
const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`tests of Terraform providers are skipped: ${skipped}`)

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const scratch = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'wtf'))
  ends.push(() => rm(path, { recursive: true, force: true }))
  return path
}
const silent = { write: () => undefined }
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a program that is no provider', () => {
  test.each([
    { reason: 'T6: prints something else', script: 'echo hello; sleep 60', message: /not a Terraform provider.*hello/ },
    { reason: 'ends at once', script: 'echo "what is missing" >&2; exit 3', message: /ended with code 3.*what is missing/ },
    { reason: 'T5: speaks a version that is not known', script: "echo '1|4|unix|/x|grpc'; sleep 60", message: /protocol 4/ },
    { reason: 'T4: speaks no gRPC', script: "echo '1|5|unix|/x|netrpc'; sleep 60", message: /netrpc/ },
    { reason: 'says nothing', script: 'sleep 60', message: /did not say where it listens/ },
  ])('$reason', async ({ script, message }) => {
    const root = await scratch()
    const executable = join(root, 'program')
    await writeFile(executable, `#!/bin/sh\n${script}\n`)
    await chmod(executable, 0o755)
    await expect(startProvider({ executable, log: silent, root, handshakeMs: 2_000 })).rejects.toThrow(message)
    expect(await readdir(root)).toEqual(['program'])
  })

  test('does not exist', async () => {
    const root = await scratch()
    await expect(startProvider({ executable: '/no/such/program', log: silent, root })).rejects.toThrow(/before it said where it listens/)
    expect(await readdir(root)).toEqual([])
  })
})

describe.skipIf(skipped !== undefined)('a provider', () => {
  let providers: TerraformProviders
  beforeAll(() => {
    providers = built as TerraformProviders
  }, BUILD_MS)
  const start = async (executable: string, root: string): Promise<ProviderProcess> => {
    const started = await startProvider({ executable, log: silent, root })
    ends.push(() => started.shutdown())
    return started
  }

  test('T3: sees nothing of our environment but what it needs', async () => {
    process.env['AWS_SECRET_ACCESS_KEY'] = 'ours'
    ends.push(async () => delete process.env['AWS_SECRET_ACCESS_KEY'])
    const root = await scratch()
    const executable = join(root, 'program')
    await writeFile(executable, '#!/bin/sh\nenv >&2\nexit 1\n')
    await chmod(executable, 0o755)
    const said: string[] = []
    const log = { write: (bytes: Uint8Array) => void said.push(Buffer.from(bytes).toString()) }
    const env = { REGION: 'mars', TF_LOG_PROVIDER: 'DEBUG', PLUGIN_PROTOCOL_VERSIONS: '4', LD_PRELOAD: '/evil.so' }
    await expect(startProvider({ executable, log, root, env })).rejects.toThrow()
    const seen = said.join('')
    expect(seen).toContain('REGION=mars')
    expect(seen).toContain('PLUGIN_PROTOCOL_VERSIONS=5,6')
    expect(seen).toContain('TF_LOG_SDK=ERROR')
    // Ours unless its configuration says otherwise.
    expect(seen).toContain('TF_LOG_PROVIDER=DEBUG')
    expect(seen).not.toMatch(/ours|evil/)
    expect(seen).toMatch(/HOME=\S*weft-tf-/)
  })

  test('T17: ends when it is asked to, and leaves nothing', async () => {
    const root = await scratch()
    const started = await start(providers.sdk, root)
    expect(await readdir(root)).toHaveLength(1)
    await started.shutdown()
    expect(await started.ended).toMatchObject({ code: 0 })
    expect(await readdir(root)).toEqual([])
    expect(isAlive(started.pid)).toBe(false)
  })

  test('T12: may print as much as it likes', async () => {
    const provider = await openProvider(providers.sdk)
    ends.push(() => provider.close())
    const driver = provider.driver('weftsdk_thing')
    const plan = await driver.plan(undefined, configOf(driver.schema.block, { name: 'loud', mode: 'noisy' }))
    expect((await driver.apply(plan)).errors).toEqual([])
    await expect.poll(() => provider.log.join('').length).toBeGreaterThan(150_000)
  })

  test('T21: a crash is told by the program and by every call under way', async () => {
    const provider = await openProvider(providers.sdk)
    ends.push(() => provider.close())
    const driver = provider.driver('weftsdk_thing')
    const plan = (name: string, mode: string) => driver.plan(undefined, configOf(driver.schema.block, { name, mode }))
    const [slow, bad] = [await plan('slow', 'slow:60s'), await plan('bad', 'panic')]
    const waiting = driver.apply(slow)
    await expect(driver.apply(bad)).rejects.toMatchObject({ code: 14 })
    await expect(waiting).rejects.toMatchObject({ code: 14 })
    expect(await provider.process.ended).toMatchObject({ code: 2, panic: expect.stringContaining('makes its provider crash') as string })
  })

  test('T19, T208: ends with the control plane, even when that is killed', async () => {
    const root = await scratch()
    const owner = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'owner.ts'), providers.sdk, root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = await new Promise<number>((resolve) => owner.stdout.once('data', (bytes: Buffer) => resolve(Number(String(bytes)))))
    expect(isAlive(pid)).toBe(true)
    expect(await removeAbandoned(root), 'its owner lives').toBe(0)
    owner.kill('SIGKILL')
    await new Promise((resolve) => owner.once('close', resolve))
    await expect
      .poll(async () => {
        await removeAbandoned(root)
        return { alive: isAlive(pid), left: await readdir(root) }
      })
      .toEqual({ alive: false, left: [] })
  })

  test('tells what it manages, in each protocol', async () => {
    const root = await scratch()
    const told = async (executable: string) => {
      const { schema } = await (await start(executable, root)).client.schema()
      return { protocol: schema.protocol, types: [...schema.resources.keys()].sort(), data: [...schema.dataSources.keys()].sort() }
    }
    expect(await told(providers.sdk)).toEqual({ protocol: 5, types: ['weftsdk_thing'], data: ['weftsdk_thing'] })
    expect(await told(providers.framework)).toEqual({
      protocol: 6,
      types: ['weftframework_leaky', 'weftframework_named', 'weftframework_plain', 'weftframework_thing'],
      data: [],
    })
    expect(await told(providers.mux)).toEqual({
      protocol: 5,
      types: ['weftframework_leaky', 'weftframework_named', 'weftframework_plain', 'weftsdk_thing'],
      data: ['weftsdk_thing'],
    })
    expect(await told(providers.time)).toMatchObject({ types: ['time_offset', 'time_rotating', 'time_sleep', 'time_static'] })
    expect(await told(providers.local)).toMatchObject({ types: ['local_file', 'local_sensitive_file'] })
  })
})
