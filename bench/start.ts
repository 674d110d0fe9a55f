// `npm run bench -- start`: what Weft costs before it does anything, in each form that people get it in: size, time to ready, memory and CPU at rest, and how long commands take.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { packExecutable } from '../scripts/pack/executable.mjs'
import { packNpm } from '../scripts/pack/npm.mjs'
import { ensureKubernetes } from '../test/kubernetes/build.mjs'
import { type Installed, startWeft } from '../test/weft-process.ts'
import { Figures } from './plane/figures.ts'
import { cpuSecondsOf } from './plane/process-cpu.ts'
import { residentBytes } from './systems/system.ts'

const run = promisify(execFile)
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const ROUNDS = options.quick ? 3 : 9
const SETTLED_MS = options.quick ? 5_000 : 20_000
const WATCHED_MS = options.quick ? 5_000 : 30_000
const MEGABYTE = 1e6

interface Form {
  readonly name: string
  readonly installed: Installed
  readonly bytes: number
  /** What the form may weigh. */
  readonly limit?: number
}

const folder = await mkdtemp(join(tmpdir(), 'weft-bench-start-'))
const figures = new Figures('start')
try {
  const kubernetes = await ensureKubernetes()
  for (const form of [await oneFile(), await fromNpm()]) await measure(form, 'skipped' in kubernetes ? undefined : kubernetes.kubectl)
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = figures.end() ? 0 : 1

async function oneFile(): Promise<Form> {
  const weft = await packExecutable(join(folder, 'weft'))
  const home = join(folder, 'home')
  await mkdir(home)
  return {
    name: 'one file',
    installed: { node: undefined, weft, env: { HOME: home, PATH: '/nowhere' } },
    bytes: (await stat(weft)).size,
    limit: 120 * MEGABYTE,
  }
}

async function fromNpm(): Promise<Form> {
  const tarballs = await packNpm(join(folder, 'tarballs'))
  const project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...tarballs], { cwd: project })
  const { stdout } = await run('du', ['-sb', join(project, 'node_modules')])
  const weft = join(project, 'node_modules', '@weft', 'cli', 'bin', 'weft.mjs')
  return { name: 'npm', installed: { node: process.execPath, weft }, bytes: Number.parseInt(stdout, 10) }
}

async function measure({ name, installed, bytes, limit }: Form, kubectl: string | undefined): Promise<void> {
  figures.add({
    label: `${name}: on disk`,
    values: { MB: bytes / MEGABYTE },
    ...(limit !== undefined && { goal: { text: `${limit / MEGABYTE} MB at most`, met: bytes <= limit } }),
  })
  // The first start unpacks, compiles, makes certificates and installs the kinds; the others find all of it.
  const dataDir = join(folder, `data-${name.replaceAll(' ', '-')}`)
  const starts: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const begun = performance.now()
    const weft = await startWeft({ installed, dataDir })
    starts.push(performance.now() - begun)
    await weft.stop()
  }
  const [cold = Number.NaN, ...warm] = starts
  figures.add({
    label: `${name}: from start to ready`,
    values: { 'cold ms': cold, 'warm ms': best(warm) },
    goal: { text: 'warm within 1 s', met: best(warm) < 1_000 },
  })
  const weft = await startWeft({ installed, dataDir })
  try {
    await sleep(SETTLED_MS)
    const pid = weft.child.pid ?? 0
    const before = cpuSecondsOf(pid)
    await sleep(WATCHED_MS)
    const resident = residentBytes([pid]) / MEGABYTE
    figures.add({
      label: `${name}: at rest`,
      values: { MB: resident, '% of a core': ((cpuSecondsOf(pid) - before) / WATCHED_MS) * 100_000 },
      goal: { text: '110 MB at most', met: resident <= 110 },
    })
    const command = [...(installed.node === undefined ? [] : [installed.node]), installed.weft]
    const env = { ...(installed.env ?? process.env), KUBECONFIG: weft.kubeconfig, XDG_CACHE_HOME: join(folder, 'cache') }
    const [help] = await inTurn([[...command, '--help']], env)
    const { ms = Number.NaN, cpu = Number.NaN } = help ?? {}
    figures.add({ label: `${name}: weft --help`, values: { ms, 'ms of CPU': cpu }, goal: { text: '100 ms at most', met: ms <= 100 } })
    const words = ['get', 'namespaces']
    const [ours, theirs] = await inTurn([[...command, ...words], ...(kubectl === undefined ? [] : [[kubectl, ...words]])], env)
    if (ours === undefined) return
    figures.add({ label: `${name}: weft get`, values: { ms: ours.ms, 'ms of CPU': ours.cpu } })
    if (theirs === undefined) return
    figures.add({
      label: `${name}: weft get against kubectl get`,
      values: { 'kubectl ms': theirs.ms, 'ms of CPU': theirs.cpu, 'ratio of time': ours.ms / theirs.ms, 'of CPU': ours.cpu / theirs.cpu },
      goal: { text: 'twice as much CPU at most', met: ours.cpu / theirs.cpu <= 2 },
    })
  } finally {
    await weft.stop()
  }
}

interface Cost {
  readonly ms: number
  readonly cpu: number
}

/** What each command costs, in turn, so that whatever else runs on the machine disturbs all of them alike. Its CPU is what can be compared on a busy one. */
async function inTurn(commands: readonly (readonly string[])[], env: NodeJS.ProcessEnv): Promise<readonly Cost[]> {
  const costs = commands.map((): Cost[] => [])
  for (let round = 0; round <= ROUNDS; round++)
    for (const [i, command] of commands.entries()) {
      const begun = performance.now()
      const shell = `TIMEFORMAT='%U %S'; time "$@" >/dev/null`
      const { stderr } = await run('/bin/bash', ['-c', shell, 'bash', ...command], { env })
      const ms = performance.now() - begun
      const cpu = stderr.trim().split(/\s+/).slice(-2).map(Number)
      // The first one fills caches, of the system and of the commands.
      if (round > 0) costs[i]?.push({ ms, cpu: 1_000 * ((cpu[0] ?? Number.NaN) + (cpu[1] ?? Number.NaN)) })
    }
  return costs.map((each) => ({ ms: best(each.map(({ ms }) => ms)), cpu: best(each.map(({ cpu }) => cpu)) }))
}

/** The least disturbed one: whatever else runs on the machine only ever makes it worse. */
function best(times: readonly number[]): number {
  return Math.min(...times)
}
