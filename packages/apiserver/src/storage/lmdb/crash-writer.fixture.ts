/**
 * The process that `crash.integration.test.ts` kills: it writes as fast as it can, creating, updating and deleting, compacts now
 * and then, and prints every revision that was acknowledged.
 */
import { writeSync } from 'node:fs'
import { openLmdbStorage } from './open.ts'

const [directory = '', writers = '8'] = process.argv.slice(2)
const storage = await openLmdbStorage({ directory })
acknowledge(`open ${storage.revision} ${storage.compactedRevision}`)

for (let writer = 0; writer < Number(writers); writer++) void writeForEver(writer)
void compactForEver()

async function writeForEver(writer: number): Promise<void> {
  for (let i = 0; ; i++) {
    const key = `w${writer}/${i % 7}`
    const expected = storage.get(key)?.revision ?? 0
    const remove = expected > 0 && i % 5 === 0
    const size = i % 11 === 0 ? 20_000 : 100 + (i % 3000)
    const revision = await storage.write(key, expected, remove ? null : (at) => Buffer.alloc(size, `${at} `))
    acknowledge(`ack ${revision} ${key} ${remove ? 'deleted' : size}`)
  }
}

async function compactForEver(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    const revision = Math.max(0, storage.revision - 2000)
    if (revision > storage.compactedRevision) await storage.compact(revision)
  }
}

// Synchronous: what is printed has left the process before it can be killed. A reader that is slow fills the pipe.
function acknowledge(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
