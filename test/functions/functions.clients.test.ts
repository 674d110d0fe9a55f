import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMemoryPki } from '@weft/apiserver'
import { FunctionError, FunctionRunners, parseFunctionAddress, type RunFunctionRequest, type RunFunctionResponse } from '@weft/functions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { functionKits } from './kits.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const { python, node } = await functionKits()
const pythonPath = 'path' in python ? python.path : undefined
const nodePath = 'path' in node ? node.path : undefined

const MIB = 1024 * 1024

/** A function as a program, and a runner that asks it. */
class Program {
  readonly runner: FunctionRunners
  readonly #start: () => ChildProcess
  readonly #port: number
  #child: ChildProcess

  private constructor(port: number, runner: FunctionRunners, start: () => ChildProcess) {
    this.#port = port
    this.runner = runner
    this.#start = start
    this.#child = start()
  }

  static async start(command: (address: string) => ChildProcess, tls?: Parameters<typeof parseFunctionAddress>[1]): Promise<Program> {
    const port = await freePort()
    const target = parseFunctionAddress(`localhost:${port}`, tls)
    if (target === undefined) throw new Error('no address')
    const runner = new FunctionRunners({ find: async () => ({ type: 'address', target }) }, { timeoutMs: 60_000 })
    const program = new Program(port, runner, () => command(`127.0.0.1:${port}`))
    await program.listening()
    return program
  }

  async listening(): Promise<void> {
    while (!(await isListening(this.#port))) {
      if (this.#child.exitCode !== null) throw new Error(`the function ended with ${this.#child.exitCode}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  async again(): Promise<void> {
    if (this.#child.exitCode === null) await new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child = this.#start()
    await this.listening()
  }

  ask(doing: string, request: RunFunctionRequest = {}, deadlineMs = 60_000): Promise<RunFunctionResponse> {
    return this.runner.run('tried', { input: { do: doing }, ...request }, { deadline: Date.now() + deadlineMs })
  }

  stop(): void {
    this.runner.close()
    this.#child.kill('SIGKILL')
  }
}

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'it answered',
    (error: unknown) => (error instanceof FunctionError ? error.code : error),
  )

const composite = { composite: { resource: { apiVersion: 'example.org/v1', kind: 'XThing', spec: { size: 3 } } } }
const composed = { resource: { apiVersion: 'example.org/v1', kind: 'Part', spec: { size: 3 } }, ready: 'READY_TRUE' }

function everyKit(program: () => Program): void {
  test('composes, and passes on what it does not know', async () => {
    const other = { resource: { apiVersion: 'v1', kind: 'Other' } }
    const answer = await program().ask('compose', { meta: { tag: 'tag' }, observed: composite, desired: { resources: { other } } })
    expect(answer.meta).toMatchObject({ tag: 'tag', ttl: '60s' })
    expect(answer.desired?.resources).toEqual({ part: composed, other })
    expect(answer.results).toMatchObject([{ severity: 'SEVERITY_NORMAL', message: 'composed' }])
  })

  test('asks for what it requires, and gets it', async () => {
    const first = await program().ask('require')
    expect(first.requirements?.resources?.['config']).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      matchName: 'settings',
      namespace: 'default',
    })
    const items = [{ resource: { apiVersion: 'v1', kind: 'ConfigMap', data: { key: 'found it' } } }]
    const second = await program().ask('require', { requiredResources: { config: { items } } })
    expect(second.output).toEqual({ found: ['found it'] })
  })

  test('gives a fatal result, which is an answer', async () => {
    const { results } = await program().ask('fatal')
    expect(results).toMatchObject([{ severity: 'SEVERITY_FATAL', message: 'it cannot be done' }])
  })

  test('hangs, and its caller has a deadline', async () => {
    const hanging = failure(program().ask('hang', {}, 500))
    expect((await program().ask('compose', { observed: composite })).desired?.resources?.['part']).toEqual(composed)
    expect(await hanging).toBe('DeadlineExceeded')
  })

  test('crashes, and is asked again once it is back', async () => {
    expect(await failure(program().ask('crash'))).toBe('Unavailable')
    await program().again()
    expect((await program().ask('compose', { observed: composite })).desired?.resources?.['part']).toEqual(composed)
  })
}

describe.runIf(pythonPath !== undefined)('K102–K114 a function of the Python kit', () => {
  const run = (...args: readonly string[]): ChildProcess =>
    spawn('python3', [join(here, 'function.py'), ...args], { env: { ...process.env, PYTHONPATH: pythonPath }, stdio: 'ignore' })

  describe('behind TLS that both sides show', () => {
    let folder: string
    let program: Program
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'weft-function-'))
      const { ca, serving, admin } = createMemoryPki()
      await writeFile(join(folder, 'ca.crt'), ca.certificatePem)
      await writeFile(join(folder, 'tls.crt'), serving.certificate)
      await writeFile(join(folder, 'tls.key'), serving.key, { mode: 0o600 })
      const tls = { ca: Buffer.from(ca.certificatePem), key: Buffer.from(admin.key), certificate: Buffer.from(admin.certificate) }
      program = await Program.start((address) => run('--address', address, '--tls-certs-dir', folder), tls)
    }, 120_000)
    afterAll(async () => {
      program?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    everyKit(() => program)

    test('sees context and credentials, and passes context on', async () => {
      const credentials = { login: { credentialData: { data: { password: Buffer.from('s3cret').toString('base64') } } } }
      const answer = await program.ask('context', { context: { given: 'kept' }, credentials })
      expect(answer.context).toEqual({ given: 'kept', seen: 'kept' })
      expect(answer.output).toEqual({ secret: 's3cret' })
    })

    test('sets conditions and says how long its answer holds', async () => {
      const { conditions, results } = await program.ask('conditions')
      expect(conditions).toEqual([
        { type: 'Checked', status: 'STATUS_CONDITION_FALSE', reason: 'Looked', message: 'not yet', target: 'TARGET_COMPOSITE_AND_CLAIM' },
      ])
      expect(results).toMatchObject([{ severity: 'SEVERITY_WARNING' }])
      expect((await program.ask('brief')).meta?.ttl).toBe('1.500s')
    })

    test('answers 20 MiB, and is asked as much', async () => {
      const answer = await program.ask('large', { context: { text: 'y'.repeat(20 * MIB) } })
      expect(String(answer.output?.['text']).length).toBe(20 * MIB)
    })
  })

  describe('that knows the older protocol alone', () => {
    let program: Program
    beforeAll(async () => {
      program = await Program.start((address) => run('--older', '--address', address))
    }, 120_000)
    afterAll(() => program?.stop())
    everyKit(() => program)
  })
})

describe.runIf(nodePath !== undefined)('K102–K114 a function of the TypeScript kit', () => {
  let program: Program
  beforeAll(async () => {
    const env = { ...process.env, KIT: nodePath }
    program = await Program.start((address) =>
      spawn(process.execPath, [join(here, 'function.mjs'), '--insecure', '--address', address], { env, stdio: 'ignore' }),
    )
  }, 120_000)
  afterAll(() => program?.stop())
  everyKit(() => program)
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
