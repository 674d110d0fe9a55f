import { compareText } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConformanceOptions, StorageHarness } from './conformance-harness.fixture.ts'
import { KEYSPACE_END } from './key.ts'
import { CompactedError, ConflictError } from './storage.ts'
import type { Change, Entry, Storage } from './storage.ts'

/** The contract at its simplest: a list of all changes ever made. Everything else follows from it. */
class Model {
  readonly changes: { key: string; revision: number; value: string | undefined; previous: number }[] = []

  latest(key: string): number {
    const last = this.changes.findLast((change) => change.key === key)
    return last === undefined || last.value === undefined ? 0 : last.revision
  }

  /** The revision that the write gets, or 0 if it must be refused. */
  write(key: string, expected: number, value: string | undefined): number {
    const previous = this.latest(key)
    if (previous !== expected || (value === undefined && previous === 0)) return 0
    const revision = this.changes.length + 1
    this.changes.push({ key, revision, value, previous })
    return revision
  }

  at(revision: number, start: string, end: string, limit: number): string[] {
    const state = new Map<string, string>()
    for (const { key, revision: at, value } of this.changes.slice(0, revision)) {
      if (value === undefined) state.delete(key)
      else state.set(key, `${key}=${value}@${at}`)
    }
    const keys = [...state.keys()].filter((key) => compareText(key, start) >= 0 && compareText(key, end) < 0)
    return keys
      .toSorted(compareText)
      .slice(0, limit)
      .map((key) => state.get(key) as string)
  }

  after(revision: number, upTo: number, prefix: string): string[] {
    return this.changes
      .slice(revision, upTo)
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ key, revision: at, value, previous }) => {
        const type = value === undefined ? 'deleted' : previous === 0 ? 'created' : 'updated'
        const before = previous === 0 ? '' : ` was ${this.changes[previous - 1]?.value}@${previous}`
        return `${type} ${key}=${value}@${at}${before}`
      })
  }
}

const entryText = ({ key, value, revision }: Entry): string => `${key}=${Buffer.from(value).toString()}@${revision}`

function changeText({ type, key, revision, value, previous }: Change): string {
  const before = previous ? ` was ${Buffer.from(previous.value).toString()}@${previous.revision}` : ''
  return `${type} ${key}=${value && Buffer.from(value).toString()}@${revision}${before}`
}

type Step =
  | { readonly do: 'write'; readonly key: string; readonly expect: 'latest' | 'none' | 'stale'; readonly value: string | undefined }
  | { readonly do: 'settle' | 'reopen' }
  | { readonly do: 'read'; readonly at: number; readonly start: string; readonly end: string; readonly limit: number }
  | { readonly do: 'subscribe'; readonly at: number; readonly prefix: string }
  | { readonly do: 'compact'; readonly at: number }

const key = fc.constantFrom('a', 'a/b', 'a/c', 'a0', 'b', 'é', '\ue000', '\u{10000}', '\u{10000}z')
const bound = fc.oneof(key, fc.constantFrom('', 'a/', 'a/b\0', 'z', KEYSPACE_END))
const fraction = fc.double({ min: 0, max: 1, noNaN: true })

const write = fc.record({
  do: fc.constant('write' as const),
  key,
  expect: fc.oneof(
    { weight: 8, arbitrary: fc.constant('latest' as const) },
    { weight: 1, arbitrary: fc.constantFrom('none' as const, 'stale' as const) },
  ),
  value: fc.oneof({ weight: 4, arbitrary: fc.string({ maxLength: 20 }) }, { weight: 1, arbitrary: fc.constant(undefined) }),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: write },
  { weight: 4, arbitrary: fc.constant({ do: 'settle' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      at: fraction,
      start: bound,
      end: bound,
      limit: fc.constantFrom(1, 3, Infinity),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('subscribe' as const), at: fraction, prefix: fc.constantFrom('', 'a', 'a/', 'b') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const), at: fraction }) },
)

/** Runs steps against a store and the model side by side. Writes are not awaited until `settle`: many are in flight at a time. */
class Runner {
  readonly #model = new Model()
  readonly #harness: StorageHarness
  #storage: Storage
  #inFlight: Promise<void>[] = []
  #subscriptions: { after: number; prefix: string; seen: string[] }[] = []

  constructor(harness: StorageHarness) {
    this.#harness = harness
    this.#storage = harness.storage
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const next of steps) await this.#step(next)
    await this.#step({ do: 'reopen' })
    for (let at = 0; at <= 1; at += 0.125) await this.#step({ do: 'read', at, start: '', end: KEYSPACE_END, limit: Infinity })
  }

  async #step(next: Step): Promise<void> {
    switch (next.do) {
      case 'write':
        return this.#write(next)
      case 'settle':
        return this.#settle()
      case 'read':
        return this.#read(next.at, next.start, next.end, next.limit)
      case 'subscribe':
        return this.#subscribe(next.at, next.prefix)
      case 'compact':
        return this.#storage.compact(Math.floor(next.at * this.#storage.revision))
      case 'reopen':
        await this.#settle()
        if (this.#harness.reopen) await this.#reopen(this.#harness.reopen)
    }
  }

  #write({ key: at, expect: expectation, value }: Step & { do: 'write' }): void {
    const latest = this.#model.latest(at)
    const expected = { latest, none: 0, stale: latest + 1 }[expectation]
    const revision = this.#model.write(at, expected, value)
    const result = this.#storage.write(at, expected, value === undefined ? null : () => Buffer.from(value))
    this.#inFlight.push(this.#expectResult(result, revision, latest))
  }

  async #expectResult(result: Promise<number>, revision: number, latest: number): Promise<void> {
    const settled = await result.catch((error: unknown) => error)
    if (revision > 0) expect(settled).toBe(revision)
    else if (settled instanceof ConflictError) expect(settled.actual).toBe(latest)
    else expect(settled).toMatchObject({ code: 'NothingToDelete' })
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#inFlight)
    this.#inFlight = []
    expect(this.#storage.revision).toBe(this.#model.changes.length)
    expect(this.#storage.stats()).toMatchObject({
      entries: this.#model.at(Infinity, '', KEYSPACE_END, Infinity).length,
      historyEntries: this.#storage.revision - this.#storage.compactedRevision,
    })
    for (const { after, prefix, seen } of this.#subscriptions) {
      expect(seen).toEqual(this.#model.after(after, this.#storage.revision, prefix))
    }
  }

  #read(at: number, start: string, end: string, limit: number): void {
    const storage = this.#storage
    const { revision } = storage
    expect(Array.from(storage.range(start, end, limit), entryText)).toEqual(this.#model.at(revision, start, end, limit))
    const found = storage.get(start)
    expect(found ? [entryText(found)] : []).toEqual(this.#model.at(revision, start, `${start}\0`, 1))
    const old = Math.floor(at * revision)
    if (old < storage.compactedRevision) expect(() => storage.rangeAt(old, start, end, limit)).toThrow(CompactedError)
    else expect(Array.from(storage.rangeAt(old, start, end, limit), entryText)).toEqual(this.#model.at(old, start, end, limit))
  }

  #subscribe(at: number, prefix: string): void {
    const after = Math.floor(at * this.#storage.revision)
    const seen: string[] = []
    const onChanges = (changes: readonly Change[]): void => void seen.push(...changes.map(changeText))
    if (after < this.#storage.compactedRevision) {
      expect(() => this.#storage.subscribe(prefix, after, onChanges)).toThrow(CompactedError)
      return
    }
    this.#storage.subscribe(prefix, after, onChanges)
    expect(seen).toEqual(this.#model.after(after, this.#storage.revision, prefix))
    this.#subscriptions.push({ after, prefix, seen })
  }

  async #reopen(reopen: () => Promise<Storage>): Promise<void> {
    const { revision, compactedRevision } = this.#storage
    const { bytes: _before, ...before } = this.#storage.stats()
    this.#storage = await reopen()
    this.#subscriptions = []
    const { bytes: _after, ...after } = this.#storage.stats()
    expect({ ...after, revision: this.#storage.revision, compactedRevision: this.#storage.compactedRevision }).toEqual({
      ...before,
      revision,
      compactedRevision,
    })
  }
}

export function describeModel(name: string, options: ConformanceOptions): void {
  describe(`${name} storage against a model`, () => {
    it('agrees in every read, write, subscription, compaction and reopening', { timeout: 60_000 }, async () => {
      const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const harness = await options.create()
        try {
          await new Runner(harness).run(steps)
        } finally {
          await harness.dispose()
        }
      })
      await fc.assert(property, { numRuns: options.runs, seed: 20_260_801 })
    })
  })
}
