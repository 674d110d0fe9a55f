/** Measures the LMDB driver: `node --import tsx packages/apiserver/src/storage/storage.bench.ts [directory]`. Not a test. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KEYSPACE_END, openLmdbStorage } from './index.ts'
import type { Storage } from './index.ts'

const SECONDS = 3
const VALUE = Buffer.alloc(2048, 'x')

const directory = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'weft-bench-'))
const storage = await openLmdbStorage({ directory })
try {
  for (const concurrency of [1, 64, 256]) await measureWrites(storage, concurrency)
  measureReads(storage)
  await measureCompaction(storage)
} finally {
  await storage.close()
  rmSync(directory, { recursive: true })
}

/** Each worker creates an object and updates it nine times, as controllers do, with two subscribers listening. */
async function measureWrites(on: Storage, concurrency: number): Promise<void> {
  let delivered = 0
  const cancels = [`/registry/bench/${concurrency}/`, '/registry/other/'].map((prefix) =>
    on.subscribe(prefix, on.revision, (changes) => (delivered += changes.length)),
  )
  const before = writtenBytes()
  const cpu = process.cpuUsage()
  const start = performance.now()
  const latencies: number[] = []
  const worker = async (_: unknown, id: number): Promise<void> => {
    let revision = 0
    for (let i = 0; performance.now() - start < SECONDS * 1000; i++) {
      const begun = performance.now()
      revision = await on.write(
        `/registry/bench/${concurrency}/namespace-${id}/object-${Math.floor(i / 10)}`,
        i % 10 === 0 ? 0 : revision,
        () => Buffer.from(VALUE),
      )
      latencies.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  latencies.sort((a, b) => a - b)
  const at = (quantile: number): string => (latencies[Math.floor(latencies.length * quantile)] ?? 0).toFixed(2)
  const amplification = (writtenBytes() - before) / (latencies.length * VALUE.length)
  console.log(
    `durable 2 KB writes, concurrency ${concurrency}: ${Math.round(latencies.length / seconds)}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `${((user + system) / 1e6 / seconds).toFixed(2)} cores, ${amplification.toFixed(1)} bytes written for each byte, ${delivered} delivered`,
  )
  for (const cancel of cancels) cancel()
}

function measureReads(on: Storage): void {
  const keys = Array.from(on.range('', KEYSPACE_END, 10_000), (entry) => entry.key)
  time('get', 200_000, (i) => void on.get(keys[(i * 7919) % keys.length] ?? ''))
  time(`range of ${keys.length}`, 10, () => {
    for (const entry of on.range('', KEYSPACE_END, 10_000)) if (entry.value.length === 0) throw new Error('empty')
  })
  const old = on.revision - 10_000
  time('rangeAt 10,000 changes ago, 500 entries', 10, () => void Array.from(on.rangeAt(old, '', KEYSPACE_END, 500)))
  time('subscribe, replay of 10,000', 10, () => on.subscribe('', old, () => {})())
}

async function measureCompaction(on: Storage): Promise<void> {
  const start = performance.now()
  const from = on.compactedRevision
  await on.compact(on.revision)
  const ms = performance.now() - start
  console.log(
    `compaction: ${Math.round(((on.revision - from) / ms) * 1000)} changes/s; file ${(on.stats().bytes / 1e6).toFixed(0)} MB for ${on.stats().entries} entries`,
  )
}

function time(what: string, count: number, run: (i: number) => void): void {
  run(0)
  const start = performance.now()
  for (let i = 0; i < count; i++) run(i)
  const each = (performance.now() - start) / count
  console.log(`${what}: ${each < 1 ? `${(each * 1000).toFixed(2)} µs, ${Math.round(1000 / each)}/s` : `${each.toFixed(1)} ms`}`)
}

function writtenBytes(): number {
  try {
    return Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
