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
import { cpuSecondsOf } from './plane/plane.ts'
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
    const time = async (command: string | undefined, words: readonly string[]): Promise<number> => {
      const [file = '', ...args] =
        command === undefined ? [...(installed.node === undefined ? [] : [installed.node]), installed.weft] : [command]
      const env = { ...(installed.env ?? process.env), KUBECONFIG: weft.kubeconfig }
      const times: number[] = []
      for (let round = 0; round <= ROUNDS; round++) {
        const begun = performance.now()
        await run(file, [...args, ...words], { env })
        times.push(performance.now() - begun)
      }
      return best(times.slice(1))
    }
    const help = await time(undefined, ['--help'])
    figures.add({ label: `${name}: weft --help`, values: { ms: help }, goal: { text: '100 ms at most', met: help <= 100 } })
    const get = await time(undefined, ['get', 'namespaces'])
    if (kubectl === undefined) return figures.add({ label: `${name}: weft get`, values: { ms: get } })
    const theirs = await time(kubectl, ['get', 'namespaces'])
    figures.add({
      label: `${name}: weft get against kubectl get`,
      values: { ms: get, 'kubectl ms': theirs, ratio: get / theirs },
      goal: { text: 'twice as long at most', met: get / theirs <= 2 },
    })
  } finally {
    await weft.stop()
  }
}

/** The least disturbed one: whatever else runs on the machine only ever makes it worse. */
function best(times: readonly number[]): number {
  return Math.min(...times)
}
