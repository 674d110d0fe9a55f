import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { PackageError } from '../package-error.ts'

const CHUNK_BYTES = 1024 * 1024
/**
 * A link is not followed. A pipe without a writer would hold a thread for ever, a device may do something when it is opened: neither waits with
 * O_NONBLOCK, and both are refused before anything is read.
 */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The bytes of a plain file; undefined when there is none. Anything else is refused, and so is what holds more than `maxBytes`, whatever size it claims. */
export async function readPlainFile(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const file = await open(path, FLAGS).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    if (error.code === 'ELOOP') throw special(path, 'a link')
    throw new PackageError('NotFound', `${path} cannot be read: ${error.message}`, { cause: error })
  })
  if (file === undefined) return undefined
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw special(path, stats.isDirectory() ? 'a directory' : 'a device, pipe or socket')
    if (stats.size > maxBytes) throw tooLarge(path, maxBytes)
    return await readBounded(file, path, maxBytes)
  } finally {
    await file.close()
  }
}

/** Files of /proc and the like say that they are empty, and others grow while they are read. */
async function readBounded(file: FileHandle, path: string, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let total = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(CHUNK_BYTES, maxBytes - total + 1)))
    if (bytesRead === 0) return Buffer.concat(chunks)
    total += bytesRead
    if (total > maxBytes) throw tooLarge(path, maxBytes)
    chunks.push(buffer.subarray(0, bytesRead))
  }
}

const special = (path: string, what: string): PackageError =>
  new PackageError('Malformed', `${path} is ${what}; a package contains plain files only: copy what it points to`)

const tooLarge = (path: string, maxBytes: number): PackageError =>
  new PackageError('TooLarge', `${path} is larger than ${maxBytes} bytes; it is refused`)
