import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LOCK_FILE, lockOwner } from './lock-file.ts'
import { openLmdbStorage } from './open.ts'

const SCRIPT = `
  import { LockFile } from ${JSON.stringify(new URL('lock-file.ts', import.meta.url).href)}
  import { writeSync } from 'node:fs'
  let result = 'acquired'
  try { LockFile.acquire(process.argv[1]) } catch (error) { result = error.code }
  writeSync(1, result)
  process.stdin.resume().on('end', () => process.exit())`

/** Starts a process that asks for the directory, and answers what it got; it stays alive until its input ends. */
async function contend(directory: string, [command, ...before]: readonly string[] = []): Promise<{ answer: string; child: ChildProcess }> {
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', SCRIPT, directory]
  const [program = '', ...args] = command === undefined ? node : [command, ...before, ...node]
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  return { answer: String((await once(child.stdout, 'data'))[0]), child }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

const OTHER_CONTAINER = ['unshare', '--pid', '--fork', '--kill-child']
const canUnshare = spawnSync(OTHER_CONTAINER[0] as string, [...OTHER_CONTAINER.slice(1), 'true']).status === 0

describe('a holder', () => {
  const directory = mkdtempSync(join(tmpdir(), 'weft-lock-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  /** As if it had shown no sign of life for an hour. */
  const silence = (): void => {
    const longAgo = new Date(Date.now() - 3_600_000)
    utimesSync(join(directory, LOCK_FILE), longAgo, longAgo)
  }

  it('that is paused still holds, and gives up when it is killed', async () => {
    const holder = await contend(directory)
    expect(holder.answer).toBe('acquired')
    holder.child.kill('SIGSTOP')
    silence()
    const second = await contend(directory)
    expect(second.answer).toBe('Locked')
    expect(lockOwner(directory)).toMatchObject({ pid: holder.child.pid, isElsewhere: false })
    await Promise.all([end(second.child), end(holder.child)])
    expect(lockOwner(directory)).toBeUndefined()
    const third = await contend(directory)
    expect(third.answer).toBe('acquired')
    await end(third.child)
  })

  it.skipIf(!canUnshare)('is seen from another container, also when it is paused', async () => {
    const holder = await contend(directory, OTHER_CONTAINER)
    expect(holder.answer).toBe('acquired')
    silence()
    for (const where of [[], OTHER_CONTAINER]) {
      const second = await contend(directory, where)
      expect(second.answer, where.join(' ')).toBe('Locked')
      await end(second.child)
    }
    expect(lockOwner(directory)).toMatchObject({ isElsewhere: true })
    await end(holder.child)
  })
})

describe('a directory whose lock file somebody removed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'weft-lock-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  it('is not opened while another process has its data file open', async () => {
    const script = `
      import { openLmdbStorage } from ${JSON.stringify(new URL('open.ts', import.meta.url).href)}
      await openLmdbStorage({ directory: process.argv[1] })
      process.stdout.write('open')
      process.stdin.resume()`
    const args = ['--import', 'tsx', '--input-type=module', '-e', script, directory]
    const holder = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    expect(String((await once(holder.stdout, 'data'))[0])).toBe('open')
    rmSync(join(directory, LOCK_FILE))
    await expect(openLmdbStorage({ directory })).rejects.toMatchObject({
      code: 'Locked',
      message: expect.stringContaining('data.mdb open'),
    })
    await end(holder)
    await (await openLmdbStorage({ directory })).close()
  })
})

describe('processes that start at once', () => {
  const directory = mkdtempSync(join(tmpdir(), 'weft-lock-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  it('do not share a data directory whose owner died', async () => {
    for (let round = 0; round < 3; round++) {
      writeFileSync(join(directory, LOCK_FILE), JSON.stringify({ pid: spawnSync(process.execPath, ['-e', '']).pid }))
      // All stay alive until all have answered.
      const contenders = await Promise.all(Array.from({ length: 4 }, () => contend(directory)))
      expect(contenders.map(({ answer }) => answer).toSorted()).toEqual(['Locked', 'Locked', 'Locked', 'acquired'])
      await Promise.all(contenders.map(({ child }) => end(child)))
    }
  })
})
