import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DATA_FILE, inspectFile, syncPath } from './data-directory.ts'
import { META_PAGES_BYTES } from './page-file.ts'

const COPY = 'taking-over.tmp'
const CHUNK = 1024 * 1024

/**
 * Puts a copy of the data file in its place. The holder before, if it is alive, keeps the old file to itself: it may be in the middle
 * of a commit, even hold LMDB's own lock, and must not be able to write to what we use.
 *
 * The caller has taken the lock file, so the old holder finishes one commit at most. LMDB writes a commit to pages that the
 * state before it does not use, and the meta page, which makes it valid, last. So the meta pages are read first: the pages that
 * they lead to do not change while they are copied.
 */
export function copyDataFile(directory: string): void {
  const file = join(directory, DATA_FILE)
  if (!existsSync(file)) return
  const copy = join(directory, COPY)
  const source = openSync(file, 'r')
  try {
    const target = openSync(copy, 'w', 0o600)
    try {
      copyBytes(source, target)
    } finally {
      closeSync(target)
    }
  } finally {
    closeSync(source)
  }
  inspectFile(copy, true)
  syncPath(copy)
  // First the lock of LMDB, which belongs to the old file.
  rmSync(`${file}-lock`, { force: true })
  renameSync(copy, file)
  syncPath(directory)
}

function copyBytes(source: number, target: number): void {
  const metas = readMetas(source)
  writeSync(target, metas, 0, metas.length, 0)
  const chunk = Buffer.allocUnsafe(CHUNK)
  for (let offset = metas.length; ;) {
    const length = readSync(source, chunk, 0, CHUNK, offset)
    if (length === 0) return
    writeSync(target, chunk, 0, length, offset)
    offset += length
  }
}

/** Read until they are the same twice: one may be being written. */
function readMetas(source: number): Buffer {
  for (let before: Buffer | undefined; ;) {
    const metas = Buffer.alloc(META_PAGES_BYTES)
    const length = readSync(source, metas, 0, metas.length, 0)
    if (before?.equals(metas) === true) return metas.subarray(0, length)
    before = metas
  }
}
