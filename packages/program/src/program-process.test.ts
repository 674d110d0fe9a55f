import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openProcessLog } from './process-log.ts'
import { ProgramProcess } from './program-process.ts'

describe('a provider process', () => {
  let directory: string
  const started: ProgramProcess[] = []
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'weft-process-'))
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map((process) => process.stop()))
    rmSync(directory, { recursive: true, force: true })
  })
  const log = (): string => readFileSync(join(directory, 'x.log'), 'utf8')
  const run = (script: string, more: { file?: string; channel?: boolean; onChange?: () => void } = {}): ProgramProcess => {
    const path = join(directory, 'provider.mjs')
    writeFileSync(path, script)
    const { file = process.execPath, channel = true, onChange = () => undefined } = more
    const made = new ProgramProcess({
      what: "the provider's process",
      folder: directory,
      command: async () => ({ file, args: [path], env: { PATH: process.env['PATH'] ?? '', TOLD: 'yes' }, cwd: directory, channel }),
      log: openProcessLog(join(directory, 'x.log')),
      clock: systemClock,
      random: () => 1,
      onChange,
    })
    started.push(made)
    return made
  }
  const GENEROUS = { timeoutMs: 30_000 }

  it('is healthy when it says that it is ready, and sees nothing of our environment', async () => {
    process.env['WEFT_TEST_SECRET'] = 'do-not-pass-on'
    try {
      let changes = 0
      const child = run("console.log(JSON.stringify(process.env)); process.send({ type: 'ready' }); setInterval(() => {}, 1000)", {
        onChange: () => changes++,
      })
      expect(child.health).toMatchObject({ healthy: false, reason: 'Starting' })
      await eventually(() => expect(child.health).toMatchObject({ healthy: true, restarts: 0 }), GENEROUS)
      expect(changes).toBe(1)
      await eventually(() => expect(log()).toContain('"TOLD":"yes"'), GENEROUS)
      expect(log()).not.toContain('do-not-pass-on')
    } finally {
      delete process.env['WEFT_TEST_SECRET']
    }
  })

  it('is started again when it ends, and says how it ended', async () => {
    const child = run("console.error('no luck'); process.exit(7)")
    await eventually(() => expect(child.health.message).toContain('ended with code 7: no luck'), GENEROUS)
    await eventually(() => expect(child.health.restarts).toBeGreaterThan(1), GENEROUS)
    expect(child.health.healthy).toBe(false)
    expect(log()).toContain('no luck')
  })

  it('is started in another way at once when it did not take the first, which is no failure', async () => {
    const path = join(directory, 'provider.mjs')
    const script = `if (process.argv.includes('--new')) { console.error('unknown flag --new'); process.exit(1) } process.send({ type: 'ready' }); setInterval(() => {}, 1000)`
    writeFileSync(path, script)
    const seen: unknown[] = []
    const made: ProgramProcess = new ProgramProcess({
      what: "the provider's process",
      folder: directory,
      command: async (before) => ({
        file: process.execPath,
        args: before === '' ? [path, '--new'] : [path],
        env: { PATH: process.env['PATH'] ?? '' },
        cwd: directory,
        channel: true,
        refused: (words) => words.includes('unknown flag'),
      }),
      log: openProcessLog(join(directory, 'x.log')),
      clock: systemClock,
      random: () => 1,
      onChange: () => seen.push(made.health),
    })
    started.push(made)
    await eventually(() => expect(made.health).toMatchObject({ healthy: true }), GENEROUS)
    // Nobody was told of an end, and none is counted.
    expect(seen).toEqual([expect.objectContaining({ healthy: true, restarts: 0 })])
    expect(log()).toContain('started in another way: unknown flag --new')
  })

  it('a program that cannot be run is a reason, not a crash', async () => {
    const child = run('', { file: join(directory, 'nothing-here') })
    await eventually(() => expect(child.health.message).toContain('cannot be run'), GENEROUS)
    await child.stop()
    expect(child.health.reason).toBe('Stopped')
  })

  it('an executable is healthy when it has lived for a while, and one that ignores SIGTERM is killed', async () => {
    const child = run("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)", { channel: false })
    await eventually(() => expect(child.health.healthy).toBe(true), GENEROUS)
    const { pid = 0 } = child
    await child.stop()
    expect(() => process.kill(pid, 0)).toThrow()
  })
})

describe('the log of a provider process', () => {
  it('never takes more than two files of its size, and is private', () => {
    const directory = mkdtempSync(join(tmpdir(), 'weft-log-'))
    try {
      const path = join(directory, 'logs', 'x.log')
      const file = openProcessLog(path, 100)
      for (let i = 0; i < 50; i++) file.write(Buffer.from(`line ${i} of the log\n`))
      file.write(Buffer.alloc(1_000, 'x'))
      file.close()
      file.write(Buffer.from('after the end'))
      expect(statSync(path).size).toBeLessThanOrEqual(100)
      expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(100)
      expect(statSync(path).mode & 0o077).toBe(0)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })
})
