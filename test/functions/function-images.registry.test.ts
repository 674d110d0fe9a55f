import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compositeDefinition } from '@weft/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isProgram, unpackedProgram } from '../debian.mjs'
import { programHome } from '../images/program-home.ts'
import { type CommandResult, weftWith } from '../integration/weft-command.ts'
import { type RegistryProcess, startRegistry } from '../registry/registry-process.ts'
import { startWeft, unprivilegedUser, type WeftProcess } from '../weft-process.ts'
import { functionKits } from './kits.mjs'
import { nodeRoot, pythonRoot, type Root } from './roots.ts'

const here = dirname(fileURLToPath(import.meta.url))
const { python, node } = await functionKits()
const kits = 'path' in python && 'path' in node ? { python: python.path, node: node.path } : undefined
if (kits === undefined) console.log(`no functions of the official kits: ${JSON.stringify({ python, node })}`)

const GROUP = 'kits.example.org'
/** As packages that come as dependencies are called. */
const PYTHON = 'team-function-databases'
const COUNTING = 'team-function-counting'

let home: string
let registry: RegistryProcess
const weft = (...args: readonly string[]): Promise<CommandResult> => weftWith({ cwd: home, env: { DOCKER_CONFIG: home } }, ...args)
const succeeds = async (...args: readonly string[]): Promise<CommandResult> => {
  const result = await weft(...args)
  expect(result, result.output).toMatchObject({ code: 0 })
  return result
}

/** From a folder with all its files to the registry, by what users have. */
async function publish(name: string, { entrypoint, env }: Root): Promise<void> {
  await mkdir(join(home, name))
  const meta = { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Function', metadata: { name }, spec: {} }
  await writeFile(join(home, name, 'crossplane.yaml'), JSON.stringify(meta))
  const runtime = [...entrypoint.flatMap((word) => ['--entrypoint', word]), ...env.flatMap((variable) => ['--env', variable])]
  await succeeds('package', 'build', name, '--root', `${name}-root`, ...runtime)
  await succeeds('package', 'push', '-f', `${name}.xpkg`, `${registry.host}/team/${name}:v1.0.0`)
}

async function publishPlatform(): Promise<void> {
  const dependsOn = ['function-databases', 'function-counting'].map((name) => ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    package: `${registry.host}/team/${name}`,
    version: '>=v1.0.0',
  }))
  const meta = { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Configuration', metadata: { name: 'platform' }, spec: { dependsOn } }
  await mkdir(join(home, 'platform'))
  await writeFile(join(home, 'platform/crossplane.yaml'), JSON.stringify(meta))
  for (const [file, object] of Object.entries({ definition, composition }))
    await writeFile(join(home, 'platform', `${file}.yaml`), JSON.stringify(object))
  await succeeds('package', 'push', '-f', 'platform', `${registry.host}/team/platform:v1.0.0`)
}

/** Where everybody may run it: that of the cache is its owner's. */
async function bubblewrap(): Promise<string | undefined> {
  if (isProgram('/usr/bin/bwrap')) return undefined
  const found = await unpackedProgram('debian-bubblewrap', { package: 'bubblewrap', program: 'bwrap' })
  if ('skipped' in found) return undefined
  await copyFile(found.path, join(home, 'bwrap'))
  return join(home, 'bwrap')
}

beforeAll(async () => {
  if (kits === undefined) return
  home = await mkdtemp(join(tmpdir(), 'weft-kits-'))
  await chmod(home, 0o755)
  registry = await startRegistry()
  const programs = { databases: join(here, 'databases.py'), counting: join(here, 'counting.mjs') }
  const [first, second] = [join(home, 'function-databases-root'), join(home, 'function-counting-root')]
  await publish('function-databases', await pythonRoot(first, { kit: kits.python, program: programs.databases }))
  await publish('function-counting', await nodeRoot(second, { kit: kits.node, program: programs.counting }))
  // Whatever runs from now on has these files from the registry, and from nowhere else.
  for (const root of [first, second]) await rm(root, { recursive: true })
  await publishPlatform()
}, 600_000)
afterAll(async () => {
  await registry?.stop()
  if (home !== undefined) await rm(home, { recursive: true, force: true })
})

describe.runIf(kits !== undefined && process.platform === 'linux').each([
  ['as the user of the test', undefined],
  ['as somebody without rights', unprivilegedUser()],
] as const)('K102–K116, K183–K191 functions of the official kits from their images, %s', (who, user) => {
  const isMissing = who === 'as somebody without rights' && user === undefined
  let plane: WeftProcess
  let runsPrograms: boolean
  const onPlane = (...args: readonly string[]): Promise<CommandResult> => weft(...args, '--data-dir', plane.dataDir)
  const onPlaneSucceeds = (...args: readonly string[]): Promise<CommandResult> => succeeds(...args, '--data-dir', plane.dataDir)
  const apply = async (object: object): Promise<void> => {
    await writeFile(join(home, 'object.json'), JSON.stringify(object))
    await onPlaneSucceeds('apply', '-f', 'object.json')
  }

  beforeAll(async () => {
    if (isMissing) return
    const bwrap = await bubblewrap()
    const before = process.env['WEFT_BUBBLEWRAP']
    if (bwrap !== undefined) process.env['WEFT_BUBBLEWRAP'] = bwrap
    plane = await startWeft({ user }).finally(() => {
      if (before === undefined) delete process.env['WEFT_BUBBLEWRAP']
      else process.env['WEFT_BUBBLEWRAP'] = before
    })
    const { stdout } = await onPlaneSucceeds('status')
    runsPrograms = !stdout.includes('programs could not be kept from')
    const waiting = runsPrograms ? ['--wait', '--timeout', '300s'] : []
    await onPlaneSucceeds('package', 'install', `${registry.host}/team/platform:v1.0.0`, ...waiting)
  }, 600_000)
  afterAll(async () => {
    if (plane === undefined) return
    const programs = await programHome(plane.dataDir)
    await plane.stop()
    await rm(programs, { recursive: true, force: true })
  })

  test('come with what needs them, and become healthy', async (context) => {
    if (isMissing) return context.skip('this test cannot become another user')
    for (const name of [PYTHON, COUNTING]) {
      if (runsPrograms)
        await onPlaneSucceeds('wait', `functions.pkg.crossplane.io/${name}`, '--for', 'condition=Healthy', '--timeout', '300s')
      else
        await expect
          .poll(async () => (await onPlane('get', `functions.pkg.crossplane.io/${name}`, '-o', 'yaml')).stdout)
          .toContain('install bubblewrap, or run Weft as root')
    }
  }, 600_000)

  test('run from the files of their images alone', async (context) => {
    if (isMissing || !runsPrograms) return context.skip('programs are not run here')
    for (const [name, program] of [
      [PYTHON, '/usr/bin/python3'],
      [COUNTING, '/usr/bin/node'],
    ] as const) {
      const pid = await processOf(name, program)
      expect((await readdir(`/proc/${pid}/root/app`)).toSorted()).toEqual(
        program.endsWith('node') ? ['main.mjs', 'node_modules'] : ['kit', 'main.py'],
      )
      await expect(stat(`/proc/${pid}/root/root`)).rejects.toThrow('ENOENT')
      await expect(stat(`/proc/${pid}/root${plane.dataDir}`)).rejects.toThrow('ENOENT')
      const mapped = await mappedFiles(pid)
      // The loader, the C library and the program itself at the least.
      expect(mapped.length).toBeGreaterThan(3)
      expect(mapped.filter(({ isInside }) => !isInside)).toEqual([])
    }
  })

  test('K56–K92 compose databases, and a client connects with the connection secret alone', async (context) => {
    if (isMissing || !runsPrograms) return context.skip('programs are not run here')
    const shop = (...databases: readonly string[]): object => ({
      apiVersion: `${GROUP}/v1`,
      kind: 'Shop',
      metadata: { name: 'shop' },
      spec: { databases, writeConnectionSecretToRef: { namespace: 'default', name: 'shop' } },
    })
    await apply(shop('orders', 'bills'))
    const shopNow = async (): Promise<{ status?: { conditions?: readonly { type: string; status: string }[] } }> =>
      JSON.parse((await onPlane('get', `shops.${GROUP}/shop`, '-o', 'json')).stdout) as object
    await expect
      .poll(async () => (await shopNow()).status, { timeout: 300_000, interval: 1000 })
      .toMatchObject({ conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' })]) })
    const { stdout } = await onPlaneSucceeds('get', 'secret', 'shop', '-n', 'default', '-o', 'json')
    const { data } = JSON.parse(stdout) as { data: Record<string, string> }
    const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString()
    const connected = async (database: string): Promise<unknown> => {
      const client = new pg.Client({
        host: text('endpoint'),
        port: Number(text('port')),
        user: text('username'),
        password: text('password'),
        database,
      })
      // The server may be stopped while the connection is being closed.
      client.on('error', () => undefined)
      await client.connect()
      try {
        await client.query('create table if not exists things (name text)')
        return (await client.query('select current_database() as name')).rows
      } finally {
        await client.end()
      }
    }
    for (const name of ['orders', 'bills']) expect(await connected(name)).toEqual([{ name }])
    // The second function sees what the first wants.
    await expect.poll(async () => (await shopNow()).status, { timeout: 120_000, interval: 1000 }).toMatchObject({ wanted: 5, ready: 5 })
    await apply(shop('orders'))
    await expect.poll(() => connected('bills').catch((error: unknown) => String(error)), { timeout: 120_000 }).toContain('does not exist')
    expect(await connected('orders')).toEqual([{ name: 'orders' }])
    const log = await onPlaneSucceeds('logs', PYTHON)
    expect(log.stdout).not.toContain('Traceback')
  }, 600_000)
})

/** The process of a function that runs this program of its root. */
async function processOf(functionName: string, program: string): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (!environment.split('\0').includes(`FUNCTION_NAME=${functionName}`)) continue
    // The same whether its root is a folder of ours or what it was given in a namespace.
    if ((await readlink(`/proc/${pid}/exe`).catch(() => '')).endsWith(program)) return pid
  }
  throw new Error(`nothing runs ${program} for ${functionName}`)
}

/** Files that a process has in its memory, and whether each is one of its own root. */
async function mappedFiles(pid: number): Promise<readonly { path: string; isInside: boolean }[]> {
  const root = await readlink(`/proc/${pid}/root`)
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8')
  const seen = new Map([...maps.matchAll(/ (\d+) +(\/.+)$/gm)].map(([, inode, path]) => [path ?? '', Number(inode)]))
  return Promise.all(
    [...seen].map(async ([path, inode]) => {
      const inside = path.startsWith(`${root}/`) ? path.slice(root.length) : path
      const found = await stat(`/proc/${pid}/root${inside}`).catch(() => undefined)
      return { path, isInside: found?.ino === inode }
    }),
  )
}

const definition = compositeDefinition({
  api: 'v1',
  group: GROUP,
  kind: 'Shop',
  spec: { databases: { type: 'array', items: { type: 'string' } } },
  status: { wanted: { type: 'integer' }, ready: { type: 'integer' } },
  more: { connectionSecretKeys: ['endpoint', 'port', 'username', 'password'] },
})

const composition = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name: 'shop' },
  spec: {
    compositeTypeRef: { apiVersion: `${GROUP}/v1`, kind: 'Shop' },
    writeConnectionSecretsToNamespace: 'crossplane-system',
    mode: 'Pipeline',
    pipeline: [
      { step: 'databases', functionRef: { name: PYTHON } },
      { step: 'counting', functionRef: { name: COUNTING } },
    ],
  },
}
