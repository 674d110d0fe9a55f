/** The process of `full-disk.integration.test.ts`: it runs under a limit on the size of files and reports what happens as JSON. */
import { KEYSPACE_END } from '../key.ts'
import { openLmdbStorage } from './open.ts'

// The default action would end the process; with a handler, writing beyond the limit fails with EFBIG.
process.on('SIGXFSZ', () => {})
// lmdb prints commit errors.
console.error = () => {}

const [directory = ''] = process.argv.slice(2)
const storage = await openLmdbStorage({ directory })
const delivered: number[] = []
storage.subscribe('', 0, (changes) => delivered.push(...changes.map((change) => change.revision)))

const acknowledged: number[] = []
const failures = new Set<string>()
for (let round = 0; failures.size === 0; round++) {
  const writes = Array.from({ length: 8 }, (_, i) => storage.write(`key/${round}/${i}`, 0, () => Buffer.alloc(30_000, `${round}`)))
  // In the batch behind the one that may fail: it must be rejected with it.
  await new Promise((resolve) => setImmediate(resolve))
  writes.push(storage.write(`late/${round}`, 0, () => Buffer.alloc(10)))
  for (const result of await Promise.allSettled(writes)) {
    if (result.status === 'fulfilled') acknowledged.push(result.value)
    else failures.add((result.reason as { code: string }).code)
  }
}
const { revision } = storage
const entries = Array.from(storage.range('', KEYSPACE_END)).length

// Give up what is there: deletes and compaction need a few pages, which freed ones provide.
const deleted = await Promise.allSettled(
  Array.from(storage.range('key/', 'key0'), (entry) => storage.write(entry.key, entry.revision, null)),
)
const compacted = await storage.compact(storage.revision).then(
  () => true,
  () => false,
)
const again = await storage
  .write('again', 0, () => Buffer.alloc(30_000))
  .then(
    () => true,
    () => false,
  )
const deletes = deleted.filter((result) => result.status === 'fulfilled').length
const last = storage.revision
await storage.close()
process.stdout.write(
  JSON.stringify({ acknowledged, delivered, failures: [...failures], revision, entries, deletes, compacted, again, last }),
)
