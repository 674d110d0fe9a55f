import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processIdentity } from './process-identity.ts'
import { endAbandoned } from './run-note.ts'

const GENEROUS = { timeoutMs: 60_000 }
let folder: string
const children: ChildProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weft-killed-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** With the libraries that it needs, at the same places. */
async function copyProgram(path: string, root: string): Promise<void> {
  const { stdout } = spawnSync('ldd', [path], { encoding: 'utf8' })
  for (const each of [path, ...[...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library)]) {
    await mkdir(join(root, dirname(each)), { recursive: true })
    await cp(each, join(root, each), { dereference: true })
  }
}

/** Processes whose root is this folder. */
async function rootedIn(root: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const roots = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/root`).catch(() => '')))
  return pids.filter((_, at) => roots[at] === root)
}

/** Does anything of the group still run? */
function lives(group: number): boolean {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

describe.skipIf(process.platform === 'win32')('a program whose owner is killed', () => {
  it('ends, with everything that it started', async () => {
    const script = fileURLToPath(new URL('owner.fixture.ts', import.meta.url))
    const owner = spawn(process.execPath, ['--import', 'tsx', script, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(owner)
    const [line] = (await once(owner.stdout, 'data')) as [Buffer]
    const group = Number(line.toString())
    expect(lives(group)).toBe(true)
    owner.kill('SIGKILL')
    await eventually(() => expect(lives(group)).toBe(false), GENEROUS)
  })

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'ends, with what left it for a session of its own in its root',
    async () => {
      const root = join(folder, 'root')
      await mkdir(root)
      await copyProgram('/bin/sleep', root)
      const script = fileURLToPath(new URL('owner.fixture.ts', import.meta.url))
      const words = `setsid unshare --root ${root} --wd / /bin/sleep 4714 & exec sleep 4711`
      const owner = spawn(process.execPath, ['--import', 'tsx', script, folder, root, words], { stdio: ['ignore', 'pipe', 'inherit'] })
      children.push(owner)
      const left = (): Promise<readonly string[]> => rootedIn(root)
      await eventually(async () => expect(await left()).toHaveLength(1), GENEROUS)
      owner.kill('SIGKILL')
      await eventually(async () => expect(await left()).toEqual([]), GENEROUS)
    },
  )

  it('and whose keeper was ended, too, is ended by the next owner before it starts another', async () => {
    const left = spawn('sleep', ['4712'], { detached: true, stdio: 'ignore' })
    children.push(left)
    const owner = spawn('true')
    await once(owner, 'exit')
    const note = { owner: { pid: owner.pid, startedAt: '1' }, program: await processIdentity(left.pid ?? 0) }
    await writeFile(join(folder, 'process.json'), JSON.stringify(note))
    expect(await endAbandoned(folder)).toBe(true)
    await eventually(() => expect(left.signalCode).toBe('SIGKILL'), GENEROUS)
  })

  it.each(['', 'null', '{}', '{"owner":1,"program":2}'])('is nothing where the note is none: %s', async (text) => {
    await writeFile(join(folder, 'process.json'), text)
    expect(await endAbandoned(folder)).toBe(true)
  })

  it('is left alone while its owner lives, and so is a stranger that has its number now', async () => {
    const program = spawn('sleep', ['4713'], { stdio: 'ignore' })
    const owner = spawn('sleep', ['4713'], { stdio: 'ignore' })
    children.push(program, owner)
    const of = async ({ pid = 0 }: ChildProcess) => processIdentity(pid)
    await writeFile(join(folder, 'process.json'), JSON.stringify({ owner: await of(owner), program: await of(program) }))
    expect(await endAbandoned(folder)).toBe(false)
    const stranger = { ...(await of(program)), startedAt: '1' }
    await writeFile(join(folder, 'process.json'), JSON.stringify({ owner: { ...(await of(owner)), startedAt: '1' }, program: stranger }))
    expect(await endAbandoned(folder)).toBe(true)
    expect(program.signalCode).toBeNull()
    expect(existsSync(join(folder, 'process.json')) && (await readFile(join(folder, 'process.json'), 'utf8'))).toContain('"1"')
  })
})
