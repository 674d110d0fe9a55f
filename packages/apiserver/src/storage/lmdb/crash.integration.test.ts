import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { KEYSPACE_END } from '../key.ts'
import type { Change } from '../storage.ts'
import { inspectFile } from './data-directory.ts'
import { openLmdbStorage } from './open.ts'

const FIXTURE = fileURLToPath(new URL('crash-writer.fixture.ts', import.meta.url))
const SEED = Number(process.env['WEFT_CRASH_SEED'] ?? 20_260_801)
const ROUNDS = Number(process.env['WEFT_CRASH_KILLS'] ?? 24)

interface Acknowledged {
  readonly revision: number
  readonly key: string
  readonly what: string
}

describe('a writer that is killed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'weft-crash-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  it(`keeps every acknowledged write and a log without a gap, ${ROUNDS} times over`, { timeout: 300_000 + ROUNDS * 30_000 }, async () => {
    const random = seededRandom(SEED)
    let acknowledgedInAll = 0
    let visible = 0
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await writeUntilKilled(directory, 1 + Math.floor(random() * 32), Math.floor(random() * 600))
      acknowledgedInAll += acknowledged.length
      visible = await check(directory, acknowledged, visible)
    }
    expect(acknowledgedInAll, 'it did write something').toBeGreaterThan(ROUNDS * 10)
  })
})

/** Opens the directory as the next process would. Answers the revision found. */
async function check(directory: string, acknowledged: readonly Acknowledged[], before: number): Promise<number> {
  inspectFile(join(directory, 'data.mdb'), true)
  const storage = await openLmdbStorage({ directory })
  try {
    const changes = new Map<number, Change>()
    let last = storage.compactedRevision
    storage.subscribe('', storage.compactedRevision, (batch) => {
      for (const change of batch) {
        expect(change.revision, 'the log has no gap').toBe(++last)
        changes.set(change.revision, change)
      }
    })
    expect(last).toBe(storage.revision)
    expect(storage.revision).toBeGreaterThanOrEqual(before)
    for (const { revision, key, what } of acknowledged) {
      expect(revision).toBeLessThanOrEqual(storage.revision)
      if (revision <= storage.compactedRevision) continue
      const change = changes.get(revision)
      expect(change).toMatchObject({ key, revision })
      if (what === 'deleted') expect(change?.type).toBe('deleted')
      else expect(Buffer.alloc(Number(what), `${revision} `).equals(change?.value ?? Buffer.from('?'))).toBe(true)
    }
    let live = 0
    for (const entry of storage.range('', KEYSPACE_END)) {
      live++
      expect(Buffer.alloc(entry.value.length, `${entry.revision} `).equals(entry.value), 'bytes of their own revision').toBe(true)
    }
    expect(live).toBe(storage.stats().entries)
    return storage.revision
  } finally {
    await storage.close()
  }
}

/** Kills the writer when it has acknowledged `enough` writes, in the middle of the next ones; answers what it acknowledged. */
function writeUntilKilled(directory: string, writers: number, enough: number): Promise<Acknowledged[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', FIXTURE, directory, String(writers)], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let lines = 0
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      lines += chunk.toString().split('\n').length - 1
      if (lines > enough) child.kill('SIGKILL')
    })
    child.on('error', reject)
    child.on('close', (_code, signal) => {
      if (signal !== 'SIGKILL' || errors !== '') reject(new Error(`the writer ended by itself: ${errors}`))
      else resolve(parse(output))
    })
  })
}

function parse(output: string): Acknowledged[] {
  const lines = output.split('\n').filter((line) => line.startsWith('ack '))
  return lines.map((line) => {
    const [, revision, key = '', what = ''] = line.split(' ')
    return { revision: Number(revision), key, what }
  })
}

function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
