import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
