import { stringifyJson } from '@weft/api'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoredResource } from '../resources/stored-resource.ts'
import { decodeRecord, encodeRecord } from './record.ts'
import { StateFileError, StateLog } from './state-log.ts'
import { Store } from './store.ts'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'simcloud-'))
  file = join(directory, 'state')
})
afterEach(() => rmSync(directory, { recursive: true }))

const reopen = async (): Promise<unknown[]> => {
  const { log, records } = StateLog.open(file)
  await log.close()
  return records
}

describe('a record', () => {
  it('comes back as it was, whatever JSON it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const line = encodeRecord(value)
        expect(line.indexOf('\n')).toBe(line.length - 1)
        // Integers beyond 2^53 come back exact, as bigints.
        expect(stringifyJson(decodeRecord(line.slice(0, -1)))).toBe(JSON.stringify(value))
      }),
    )
  })
  it('is known to be damaged', () => {
    const line = encodeRecord({ a: 'b' }).trimEnd()
    for (let i = 0; i < line.length; i++) expect(decodeRecord(`${line.slice(0, i)}~${line.slice(i + 1)}`), `byte ${i}`).toBeUndefined()
  })
})

describe('the log', () => {
  it('holds what was flushed, in order', async () => {
    const { log, records } = StateLog.open(file)
    expect(records).toEqual([])
    for (let i = 0; i < 100; i++) log.append(i)
    expect(log.idle).toBe(false)
    await Promise.all([log.flushed(), log.flushed()])
    expect(log.idle).toBe(true)
    log.append(100)
    await log.close()
    expect(await reopen()).toEqual(Array.from({ length: 101 }, (_, i) => i))
  })

  it('survives being cut at any byte: whole records stay, the torn one goes, and it can be appended to', async () => {
    const { log } = StateLog.open(file)
    for (const value of ['a', { b: 'ü' }, [3]]) log.append(value)
    await log.close()
    const whole = readFileSync(file)
    const ends = [...whole].flatMap((byte, index) => (byte === 0x0a ? [index + 1] : []))
    for (let size = 0; size <= whole.length; size++) {
      writeFileSync(file, whole.subarray(0, size))
      const kept = ends.filter((end) => end <= size).length
      const opened = StateLog.open(file)
      expect(opened.records).toHaveLength(kept)
      opened.log.append('new')
      await opened.log.close()
      expect(await reopen()).toHaveLength(kept + 1)
    }
  })

  it('drops a damaged last line even with its newline, and refuses damage before it', async () => {
    const { log } = StateLog.open(file)
    log.append('a')
    await log.close()
    appendFileSync(file, '00000000 "b"\n')
    expect(await reopen()).toEqual(['a'])
    writeFileSync(file, `00000000 "b"\n${encodeRecord('a')}`)
    expect(() => StateLog.open(file)).toThrow(StateFileError)
  })

  it('is replaced as a whole by compaction', async () => {
    const { log } = StateLog.open(file)
    for (let i = 0; i < 50; i++) log.append(i)
    expect(() => log.compact([])).toThrow(/idle/)
    await log.flushed()
    log.compact(['x', 'y'])
    expect(log.length).toBe(2)
    log.append('z')
    await log.close()
    expect(await reopen()).toEqual(['x', 'y', 'z'])
  })

  it('leaves an unfinished compaction of a dead process aside', async () => {
    const { log } = StateLog.open(file)
    log.append('kept')
    await log.close()
    writeFileSync(`${file}.compact`, 'half of a')
    expect(await reopen()).toEqual(['kept'])
  })

  it('is readable by its owner only: it holds passwords', async () => {
    await StateLog.open(file).log.close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

const resource = (name: string, more: Partial<StoredResource> = {}): StoredResource => ({
  cloud: 'gcp',
  account: 'a',
  kind: 'networks',
  name,
  id: name,
  generation: 1,
  state: 'RUNNING',
  hasRun: true,
  parameters: {},
  outputs: {},
  connection: {},
  parents: [],
  createdAt: 0,
  updatedAt: 0,
  ...more,
})

describe('the store', () => {
  it('comes back with its indexes', async () => {
    const store = Store.open(file)
    store.putAccount({ cloud: 'gcp', account: 'a', tokens: [], quotas: { networks: 2 } })
    store.put(resource('n', { clientToken: 't' }))
    store.put(resource('s', { kind: 'subnetworks', parents: ['gcp/a/networks/n'] }))
    store.put(resource('gone'))
    store.remove(resource('gone'))
    await store.close()
    const again = Store.open(file)
    expect(again.account('gcp', 'a')?.quotas).toEqual({ networks: 2 })
    expect([...again.resources.inAccount('gcp', 'a', 'networks').keys()]).toEqual(['n'])
    expect(again.resources.byToken('gcp', 'a', 'networks', 't')?.name).toBe('n')
    expect([...again.resources.childrenOf('gcp/a/networks/n')]).toEqual(['gcp/a/subnetworks/s'])
    expect([...again.resources.accountsUsing('gcp', 'networks', 'gone')]).toEqual([])
    await again.close()
  })

  it('moves a child from one parent to another', async () => {
    const store = Store.open(file)
    store.put(resource('s', { parents: ['p1'] }))
    store.put(resource('s', { parents: ['p2'] }))
    expect([store.resources.childrenOf('p1').size, store.resources.childrenOf('p2').size]).toEqual([0, 1])
    await store.close()
  })

  it('rewrites its file when it is mostly history', async () => {
    const store = Store.open(file)
    for (let i = 0; i < 1_100; i++) store.put(resource('n', { generation: i }))
    await store.durable()
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(10)
    await store.close()
    const again = Store.open(file)
    expect(again.resources.get('gcp/a/networks/n')?.generation).toBe(1_099)
    await again.close()
  })

  it('belongs to one process at a time, and to the next when that one died', async () => {
    const store = Store.open(file)
    expect(() => Store.open(file)).toThrow(/in use by process/)
    await store.close()
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, startTime: null }))
    await Store.open(file).close()
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.pid, startTime: 'another life' }))
    await Store.open(file).close()
  })

  it('refuses a file that is not its own, and leaves it alone', () => {
    writeFileSync(file, encodeRecord({ type: 'something' }))
    const size = statSync(file).size
    expect(() => Store.open(file)).toThrow(/not a state file/)
    expect(statSync(file).size).toBe(size)
    truncateSync(file)
  })
})
