import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataDirectoryError } from '../errors.ts'
import { KEYSPACE_END } from '../key.ts'
import { CompactedError } from '../storage.ts'
import { LOCK_FILE } from './lock-file.ts'
import { openEnvironment } from './environment.ts'
import { openLmdbStorage } from './open.ts'
import { restoreBackup } from './restore.ts'

let root: string
let directory: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-open-'))
  directory = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true }))

const dataFile = (): string => join(directory, 'data.mdb')

/** A store with `count` entries, closed. */
async function makeStore(count = 200): Promise<void> {
  const storage = await openLmdbStorage({ directory })
  await Promise.all(Array.from({ length: count }, (_, i) => storage.write(`key/${i}`, 0, () => Buffer.alloc(3000, `${i} `))))
  await storage.close()
}

/** Names, sizes and contents of everything in the directory: what must not change. */
function contents(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory)
      .toSorted()
      .map((name) => [name, readFileSync(join(directory, name)).toString('base64')]),
  )
}

async function expectRefused(code: DataDirectoryError['code']): Promise<DataDirectoryError> {
  const before = contents()
  const error = await openLmdbStorage({ directory }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(DataDirectoryError)
  expect(error).toMatchObject({ code, directory })
  expect(contents(), 'nothing was changed').toEqual(before)
  return error as DataDirectoryError
}

describe('opening a data directory', () => {
  it('makes one, keeps its identity, and leaves no lock behind', async () => {
    const first = await openLmdbStorage({ directory })
    const { clusterId } = first
    await first.write('a', 0, () => Buffer.from('1'))
    await first.close()
    expect(readdirSync(directory).toSorted()).toEqual(['data.mdb', 'data.mdb-lock'])
    expect(statSync(dataFile()).mode & 0o077, 'holds secrets').toBe(0)
    const second = await openLmdbStorage({ directory })
    expect(second).toMatchObject({ clusterId, revision: 1 })
    await second.close()
  })

  it('starts over after a crash while it was being made', async () => {
    mkdirSync(join(directory, 'creating.tmp'), { recursive: true })
    writeFileSync(join(directory, 'creating.tmp', 'data.mdb'), 'half')
    await (await openLmdbStorage({ directory })).close()
    expect(existsSync(join(directory, 'creating.tmp'))).toBe(false)
  })

  it('refuses a directory with other things in it', async () => {
    mkdirSync(directory)
    writeFileSync(join(directory, 'thesis.tex'), 'precious')
    expect((await expectRefused('NotOurs')).message).toContain('thesis.tex')
  })

  it('refuses the database of another program', async () => {
    mkdirSync(directory)
    const other = open(dataFile(), { noSubdir: true, overlappingSync: false })
    other.putSync('a', 1)
    await other.close()
    await expectRefused('NotOurs')
  })

  it('refuses a format from the future', async () => {
    await makeStore(1)
    const environment = openEnvironment(dataFile())
    environment.root.transactionSync(() => {
      environment.meta.put('store', Buffer.from(JSON.stringify({ application: 'weft', format: 99, clusterId: 'x' })))
    })
    await environment.root.close()
    expect((await expectRefused('NewerFormat')).message).toContain('99')
  })

  const damages: { reason: string; damage: () => void }[] = [
    { reason: 'empty', damage: () => truncateSync(dataFile(), 0) },
    { reason: 'cut inside the first page', damage: () => truncateSync(dataFile(), 100) },
    { reason: 'cut after the meta pages', damage: () => truncateSync(dataFile(), 8192) },
    { reason: 'cut in the middle', damage: () => truncateSync(dataFile(), Math.floor(statSync(dataFile()).size / 2)) },
    { reason: 'cut by one page', damage: () => truncateSync(dataFile(), statSync(dataFile()).size - 4096) },
    { reason: 'text', damage: () => writeFileSync(dataFile(), 'not a database '.repeat(10_000)) },
    { reason: 'zeros', damage: () => writeFileSync(dataFile(), Buffer.alloc(1 << 20)) },
    { reason: 'with garbage in the first meta page', damage: () => overwrite(0) },
    { reason: 'with garbage in the second meta page', damage: () => overwrite(4096) },
    { reason: 'with garbage in all other pages', damage: () => overwrite(8192, statSync(dataFile()).size - 8192) },
  ]
  it.each(damages)('refuses a data file that is $reason', async ({ damage }) => {
    await makeStore()
    damage()
    await expectRefused('Damaged')
  })

  function overwrite(offset: number, length = 4096): void {
    const bytes = readFileSync(dataFile())
    for (let i = 0; i < length; i++) bytes[offset + i] = (i * 31 + 7) & 0xff
    writeFileSync(dataFile(), bytes)
  }
})

it('ends iterators that would use up the table of readers, and works on', async () => {
  const storage = await openLmdbStorage({ directory })
  await Promise.all([storage.write('a', 0, () => Buffer.from('a')), storage.write('b', 0, () => Buffer.from('b'))])
  const iterators: Iterator<unknown>[] = []
  for (let i = 0; i < 1100; i++) {
    const iterator = storage.range('', KEYSPACE_END)[Symbol.iterator]()
    iterator.next()
    iterators.push(iterator)
    await storage.write(`c${i}`, 0, () => Buffer.from('c'))
  }
  expect(() => iterators[0]?.next()).toThrow(expect.objectContaining({ code: 'IteratorExpired' }))
  expect(iterators.at(-1)?.next().value).toMatchObject({ key: 'b' })
  expect(storage.get('a')).toBeDefined()
  for (const iterator of iterators) iterator.return?.()
  await storage.close()
})

describe('the lock of a data directory', () => {
  const lockFile = (): string => join(directory, LOCK_FILE)

  it('refuses a second opening and names the first process', async () => {
    const storage = await openLmdbStorage({ directory })
    const error = await openLmdbStorage({ directory }).catch((e: unknown) => e)
    expect(error).toMatchObject({ code: 'Locked' })
    expect((error as Error).message).toContain(String(process.pid))
    await storage.close()
    await (await openLmdbStorage({ directory })).close()
  })

  it('is that of the process, whatever its pid was used for before or after', async () => {
    await makeStore(1)
    const storage = await openLmdbStorage({ directory })
    const own = JSON.parse(readFileSync(lockFile(), 'utf8')) as Record<string, unknown>
    await storage.close()
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    const stale = [
      { reason: 'its process is dead', owner: { ...own, pid: dead } },
      { reason: 'the pid is now that of another process', owner: { ...own, pid: process.ppid, startTime: '1' } },
      { reason: 'our own pid, but an earlier process', owner: { ...own, startTime: '1' } },
      { reason: 'the machine was restarted', owner: { ...own, bootId: 'earlier' } },
    ]
    const older = stale.map(({ reason, owner }) => ({ reason: `${reason} (older version)`, owner: { ...owner, lock: undefined } }))
    for (const { reason, owner } of process.platform === 'linux' ? [...stale, ...older] : stale) {
      writeFileSync(lockFile(), JSON.stringify(owner))
      writeFileSync(`${lockFile()}.left-over`, '')
      const taken = await openLmdbStorage({ directory })
      expect(JSON.parse(readFileSync(lockFile(), 'utf8')), reason).toMatchObject({ pid: process.pid })
      await taken.close()
      expect(readdirSync(directory).toSorted()).toEqual(['data.mdb', 'data.mdb-lock'])
    }
  })

  it('is free when nobody has it, whatever the file says', async () => {
    await makeStore(1)
    const alive = JSON.stringify({ pid: process.ppid, lock: 'os' })
    for (const content of [alive, 'garbage', '']) {
      writeFileSync(lockFile(), content)
      await (await openLmdbStorage({ directory })).close()
    }
  })

  it('holds against a process of an older version, which had no lock but the file', async () => {
    await makeStore(1)
    const storage = await openLmdbStorage({ directory })
    const own = JSON.parse(readFileSync(lockFile(), 'utf8')) as Record<string, unknown>
    await storage.close()
    const held = [
      { reason: 'its process is alive', owner: { ...own, lock: undefined, pid: process.ppid, startTime: undefined } },
      { reason: 'a process of another container, seen just now', owner: { ...own, lock: undefined, pid: 1, pidNamespace: 'other' } },
    ]
    for (const { owner } of held) {
      writeFileSync(lockFile(), JSON.stringify(owner))
      await expectRefused('Locked')
    }
    rmSync(lockFile())
  })

  it('does not remove a lock that is no longer its own', async () => {
    const storage = await openLmdbStorage({ directory })
    writeFileSync(`${lockFile()}.other`, 'someone else')
    renameSync(`${lockFile()}.other`, lockFile())
    await storage.close()
    expect(readFileSync(lockFile(), 'utf8')).toBe('someone else')
  })
})

describe('backup and restore', () => {
  it('copies a consistent state while it is written to', async () => {
    const storage = await openLmdbStorage({ directory })
    const file = join(root, 'backup')
    writeFileSync(file, 'an older backup')
    let writing = true
    const writer = (async () => {
      for (let i = 0; writing; i++) await storage.write(`key/${i}`, 0, (revision) => Buffer.alloc(2000, `${revision} `))
    })()
    await storage.backup(file)
    writing = false
    await writer
    await storage.close()
    expect(readdirSync(root).toSorted()).toEqual(['backup', 'data'])
    expect(statSync(file).mode & 0o077, 'holds secrets').toBe(0)

    const target = join(root, 'restored')
    await restoreBackup(file, target)
    const restored = await openLmdbStorage({ directory: target })
    expect(restored.clusterId).toBe(storage.clusterId)
    expect(Array.from(restored.range('', KEYSPACE_END)).length, 'all or nothing of each commit').toBe(restored.revision)
    let replayed = 0
    restored.subscribe('', 0, (changes) => (replayed += changes.length))
    expect(replayed, 'with its history').toBe(restored.revision)
    expect(await restored.write('more', 0, () => Buffer.from('1'))).toBe(restored.revision)
    await restored.close()
  })

  it('continues at a later revision when asked to', async () => {
    await makeStore(20)
    const file = join(root, 'backup')
    copyFileSync(dataFile(), file)
    const target = join(root, 'restored')
    await restoreBackup(file, target, { advanceRevision: 1e9 })
    const restored = await openLmdbStorage({ directory: target })
    expect(restored).toMatchObject({ revision: 1_000_000_020, compactedRevision: 1_000_000_020 })
    expect(restored.get('key/3')).toMatchObject({ revision: 4 })
    expect(() => restored.subscribe('', 1234, () => {})).toThrow(CompactedError)
    expect(await restored.write('key/3', 4, null)).toBe(1_000_000_021)
    await restored.close()
  })

  it('can be written to after a restore, also of a store that was long in use', async () => {
    const storage = await openLmdbStorage({ directory })
    const revisions = new Map<string, number>()
    for (let i = 0; i < 3000; i += 10) {
      const write = async (j: number): Promise<void> => {
        const key = `k${(i * 7 + j * 13) % 97}-${j}`
        const size = (i * j) % 11 === 0 ? 20_000 : 1500
        revisions.set(key, await storage.write(key, revisions.get(key) ?? 0, () => Buffer.alloc(size)))
      }
      await Promise.all(Array.from({ length: 10 }, (_, j) => write(j)))
    }
    await storage.compact(1500)
    const file = join(root, 'backup')
    await storage.backup(file)
    await storage.close()
    await restoreBackup(file, join(root, 'restored'), { advanceRevision: 1e9 })
    const restored = await openLmdbStorage({ directory: join(root, 'restored') })
    expect(Array.from(restored.range('', KEYSPACE_END)).length).toBe(revisions.size)
    await restored.close()
  })

  it('is finished before the storage closes', async () => {
    const storage = await openLmdbStorage({ directory })
    await storage.write('a', 0, () => Buffer.alloc(1_000_000))
    const file = join(root, 'backup')
    const backup = storage.backup(file)
    await storage.close()
    await backup
    await restoreBackup(file, join(root, 'restored'))
  })

  it('reports a place that cannot be written to', async () => {
    const storage = await openLmdbStorage({ directory })
    await expect(storage.backup(join(root, 'nowhere', 'backup'))).rejects.toMatchObject({ name: 'BackupError', code: 'Failed' })
    await storage.close()
  })

  it('restores into an empty directory only', async () => {
    await makeStore(3)
    const file = join(root, 'backup')
    copyFileSync(dataFile(), file)
    await expect(restoreBackup(file, directory)).rejects.toMatchObject({ code: 'TargetNotEmpty' })
    const empty = join(root, 'empty')
    mkdirSync(empty)
    await restoreBackup(file, empty)
    expect(existsSync(join(empty, 'data.mdb'))).toBe(true)
  })

  it.each([
    { reason: 'truncated', spoil: (file: string) => truncateSync(file, statSync(file).size - 8192) },
    { reason: 'not a backup', spoil: (file: string) => writeFileSync(file, 'hello') },
    { reason: 'missing', spoil: (file: string) => rmSync(file) },
  ])('leaves nothing behind when the backup is $reason', async ({ spoil }) => {
    await makeStore()
    const file = join(root, 'backup')
    copyFileSync(dataFile(), file)
    spoil(file)
    await expect(restoreBackup(file, join(root, 'restored'))).rejects.toMatchObject({ name: 'BackupError', code: 'Unreadable' })
    expect(existsSync(join(root, 'restored'))).toBe(false)
  })
})
