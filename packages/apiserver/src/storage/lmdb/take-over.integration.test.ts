import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KEYSPACE_END } from '../key.ts'
import { openLmdbStorage } from './open.ts'

const FIXTURE = fileURLToPath(new URL('crash-writer.fixture.ts', import.meta.url))

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'weft-take-over-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

it(
  'a holder that is paused in the middle of its writes can be superseded, and then acknowledges nothing more',
  { timeout: 900_000 },
  async () => {
    for (const enough of [1, 40, 77, 150, 233, 301]) {
      const writer = spawn(process.execPath, ['--import', 'tsx', FIXTURE, directory, '16'], { stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      let errors = ''
      let isPaused = false
      writer.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (isPaused || output.split('\n').length <= enough) return
        isPaused = true
        writer.kill('SIGSTOP')
      })
      writer.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      while (!isPaused) {
        expect(writer.exitCode, errors).toBeNull()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }

      await expect(openLmdbStorage({ directory })).rejects.toMatchObject({ code: 'Locked' })
      const storage = await openLmdbStorage({ directory, takeOver: true })
      const writes = Array.from({ length: 20 }, (_, i) =>
        storage.write(`after/${storage.revision}/${i}`, 0, (at) => Buffer.alloc(500, `${at} `)),
      )
      const mine = await Promise.all(writes)
      writer.kill('SIGCONT')
      await once(writer, 'close')
      expect(writer.exitCode, 'it ended by itself').not.toBe(0)
      expect(errors).toContain('taken over')

      // Everything that the old one ever acknowledged, before it was superseded or after it came back, is in the store.
      const acknowledged = [...output.matchAll(/^ack (\d+) (\S+) (\S+)$/gm)].map(([, revision, key, what]) => ({
        revision: Number(revision),
        key,
        what,
      }))
      expect(acknowledged.length).toBeGreaterThanOrEqual(enough - 1)
      const changes = new Map<number, { key: string; size: number | undefined }>()
      storage.subscribe('', storage.compactedRevision, (batch) => {
        for (const { revision, key, value } of batch) changes.set(revision, { key, size: value?.length })
      })
      for (const { revision, key, what } of acknowledged) {
        if (revision <= storage.compactedRevision) continue
        expect(changes.get(revision)).toEqual({ key, size: what === 'deleted' ? undefined : Number(what) })
      }
      expect(mine.every((revision) => changes.get(revision)?.key.startsWith('after/'))).toBe(true)
      for (const entry of storage.range('', KEYSPACE_END)) {
        expect(Buffer.alloc(entry.value.length, `${entry.revision} `).equals(entry.value), 'bytes of their own revision').toBe(true)
      }
      await storage.close()
    }
  },
)
