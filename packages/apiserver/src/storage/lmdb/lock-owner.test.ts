import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { holderInWords, isAliveWithoutLock, type LockOwner, readOwner, thisProcess } from './lock-owner.ts'

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'weft-owner-'))
  path = join(directory, 'weft.lock')
  writeFileSync(path, '')
})
afterEach(() => rmSync(directory, { recursive: true }))

/** As if its holder had last touched the file so long ago. */
const silentFor = (seconds: number): void => utimesSync(path, Date.now() / 1_000 - seconds, Date.now() / 1_000 - seconds)
const self = thisProcess()
const { lock: _lock, ...older } = self

describe('what a lock file says', () => {
  it('is read as it was written', () => {
    writeFileSync(path, JSON.stringify(self))
    expect(readOwner(path)).toEqual(self)
    expect(self).toMatchObject({ pid: process.pid, lock: 'os' })
  })

  it.each(['', 'garbage', '{}', '{"pid":"1"}', '{"pid":0}', '{"pid":-1}', '{"pid":1.5}', 'null'])('is nothing: %s', (text) => {
    writeFileSync(path, text)
    expect(readOwner(path)).toBeUndefined()
  })

  it('is nothing where there is no file', () => expect(readOwner(join(directory, 'none'))).toBeUndefined())

  it('is one pid, and the first one', () => {
    writeFileSync(path, '{"pid":1}')
    expect(readOwner(path)).toEqual({ pid: 1 })
  })
})

describe.runIf(process.platform === 'linux')('a holder of an older version, which had no lock but its file', () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  const parent: LockOwner = { ...older, pid: process.ppid, startTime: undefined } as unknown as LockOwner
  const cases: readonly { readonly reason: string; readonly owner: LockOwner; readonly silence?: number; readonly alive: boolean }[] = [
    { reason: 'its process is alive', owner: parent, silence: 3_600, alive: true },
    { reason: 'it is this process', owner: older, alive: true },
    { reason: 'its process is dead', owner: { ...older, pid: dead }, alive: false },
    { reason: 'its pid is that of a later process', owner: { ...older, startTime: '1' }, alive: false },
    { reason: 'the machine was started anew', owner: { ...older, bootId: 'earlier' }, alive: false },
    { reason: 'it has a lock: that is asked instead', owner: self, alive: false },
    { reason: 'another container, just now', owner: { ...older, pid: 1, pidNamespace: 'other' }, silence: 5, alive: true },
    { reason: 'another container, silent', owner: { ...older, pidNamespace: 'other' }, silence: 15, alive: false },
  ]
  it.each(cases)('$reason: $alive', ({ owner, silence = 0, alive }) => {
    silentFor(silence)
    expect(isAliveWithoutLock(owner, path)).toBe(alive)
  })
})

describe('what is said of a holder', () => {
  const other: LockOwner = { ...self, pid: 4711 }
  const elsewhere: LockOwner = { ...self, pidNamespace: 'other', host: 'rack-7' }
  const { host: _host, ...nameless } = elsewhere
  const cases: readonly { readonly reason: string; readonly owner?: LockOwner; readonly silence?: number; readonly says: RegExp }[] = [
    { reason: 'one that is just starting', says: /^it is in use by another process, which is just starting: try again$/ },
    { reason: 'this process', owner: self, says: new RegExp(`^it is in use by this process \\(${process.pid}\\)$`) },
    { reason: 'another one', owner: other, says: /^it is in use by process 4711: stop that first, or choose another directory$/ },
    {
      reason: 'another one that was silent for a moment',
      owner: other,
      silence: 5,
      says: /^it is in use by process 4711: stop that first/,
    },
    {
      reason: 'one that is paused',
      owner: other,
      silence: 3_600,
      says: /process 4711, which has not moved for 36\d\d s: resume it, or end it with `kill -9 4711`; or take over with --take-over/,
    },
    {
      reason: 'one of another container with our own pid',
      owner: elsewhere,
      says: new RegExp(`by process ${process.pid} in another container \\(rack-7\\): stop that first`),
    },
    {
      reason: 'a paused one of another container, whose name is not known',
      owner: nameless,
      silence: 60,
      says: /in another container, which has not moved for 6\d s: end it there; or take over/,
    },
  ]
  it.each(cases)('$reason', ({ owner, silence = 0, says }) => {
    silentFor(silence)
    expect(holderInWords(owner, path)).toMatch(says)
  })
})
