import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Environment, openEnvironment } from './environment.ts'
import { openLmdbStorage } from './open.ts'
import { checksumOf, encodeLive, RecordWriter } from './record.ts'
import { checkStore, isWholeFile, type StoreReport } from './repair.ts'

let directory: string
let clusterId: string
/** Revisions 1 to 3 make a, b and c, 4 writes a anew, 5 deletes b, 6 makes d; the first is compacted away. */
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'weft-examine-'))
  const storage = await openLmdbStorage({ directory })
  clusterId = storage.clusterId
  const text = (value: string) => () => Buffer.from(value)
  await storage.write('a', 0, text('a1'))
  await storage.write('b', 0, text('b2'))
  await storage.write('c', 0, text('c3'.repeat(5_000)))
  await storage.write('a', 1, text('a4'))
  await storage.write('b', 2, null)
  await storage.write('d', 0, text('d6'))
  await storage.compact(1)
  await storage.close()
})
afterEach(() => rmSync(directory, { recursive: true }))

/** What the check says of the store after somebody wrote past our code. */
async function after(change: (environment: Environment) => void): Promise<StoreReport> {
  const environment = openEnvironment(join(directory, 'data.mdb'))
  // No answer: lmdb would take it for a promise to wait for.
  environment.root.transactionSync(() => {
    change(environment)
  })
  await environment.root.close()
  return checked(directory)
}

/** By both ways: whoever only asks whether a store is whole hears the same as whoever asks what is wrong with it. */
function checked(where: string): StoreReport {
  const report = checkStore(where)
  expect(isWholeFile(join(where, 'data.mdb'))).toBe(report.damages.length === 0)
  return report
}

const GARBAGE = Buffer.from('garbage')
const object = (key: string, message: string) => ({ kind: 'object', key, message })

describe('what is wrong with a store', () => {
  it('is nothing, as long as all is as it was written', () => {
    expect(checked(directory)).toEqual({ clusterId, format: 2, revision: 6, wholeObjects: 3, damages: [], hasChecksums: true })
  })

  it('is nothing in a store in which nothing was written', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'weft-examine-'))
    await (await openLmdbStorage({ directory: empty })).close()
    expect(checked(empty)).toMatchObject({ revision: 0, wholeObjects: 0, damages: [] })
    rmSync(empty, { recursive: true })
  })

  const cases: readonly {
    readonly reason: string
    readonly change: (environment: Environment) => void
    readonly damages: readonly object[]
    readonly whole: number
    readonly revision?: number
  }[] = [
    {
      reason: 'the record of an object is damaged',
      change: ({ keys }) => keys.put('a', GARBAGE),
      damages: [object('a', 'its record is damaged')],
      whole: 2,
    },
    {
      reason: 'the record of an object is missing, and history knows of it',
      change: ({ keys }) => keys.remove('d'),
      damages: [object('d', 'its record is missing')],
      whole: 2,
    },
    {
      reason: 'the record of an object is missing without a trace',
      change: ({ keys, log }) => {
        keys.remove('c')
        log.remove(3)
      },
      damages: [
        { kind: 'history', message: 'the changes between revisions 2 and 4 are missing' },
        { kind: 'object', message: '1 more, whose names are lost as well' },
      ],
      whole: 2,
    },
    {
      reason: 'the value of an object is another one',
      change: ({ values }) => values.put(6, Buffer.from('d7')),
      damages: [object('d', 'its value is damaged or missing')],
      whole: 2,
    },
    {
      reason: 'the value of an object is missing',
      change: ({ values }) => values.remove(3),
      damages: [object('c', 'its value is damaged or missing')],
      whole: 2,
    },
    {
      reason: 'a value that was superseded is missing',
      change: ({ values }) => values.remove(1),
      damages: [{ kind: 'history', message: 'the value of a at revision 1 is damaged or missing' }],
      whole: 3,
    },
    {
      reason: 'a value that was deleted is another one',
      change: ({ values }) => values.put(2, Buffer.from('b')),
      damages: [{ kind: 'history', message: 'the value of b at revision 2 is damaged or missing' }],
      whole: 3,
    },
    {
      reason: 'the record of a change is damaged',
      change: ({ log }) => log.put(4, GARBAGE),
      damages: [{ kind: 'history', message: 'the record of revision 4 is damaged' }],
      whole: 3,
    },
    {
      reason: 'there is an object that nobody wrote',
      change: ({ keys, values }) => {
        values.put(7, Buffer.from(''))
        keys.put('e', new RecordWriter([{ key: 'e' }]).version({ revision: 7, size: 0, checksum: checksumOf('e', new Uint8Array(0)) }))
      },
      damages: [{ kind: 'file', message: 'there are 1 objects more than were written' }],
      whole: 4,
      revision: 7,
    },
    {
      reason: 'an object is back at a version before its last',
      change: ({ meta }) => meta.put('live', encodeLive({ entries: 3, sum: 1 })),
      damages: [{ kind: 'file', message: 'some objects are not the latest versions that were written' }],
      whole: 3,
    },
    {
      reason: 'it is not known how many objects there are',
      change: ({ meta }) => meta.put('live', GARBAGE),
      damages: expect.arrayContaining([{ kind: 'file', message: 'table meta: the record of the number of keys is damaged' }]),
      whole: 3,
    },
  ]
  it.each(cases)('$reason', async ({ change, damages, whole, revision = 6 }) => {
    expect(await after(change)).toMatchObject({ damages, wholeObjects: whole, revision })
  })
})
