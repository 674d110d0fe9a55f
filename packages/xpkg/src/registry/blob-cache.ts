import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Digest } from '../digest.ts'

/** Bytes by digest. Reads are verified by whoever reads, so a damaged cache costs a download and nothing else. */
export interface BlobCache {
  get(digest: Digest): Promise<Uint8Array | undefined>
  /** Atomic: after a crash a blob is there entirely or not at all. Failing to keep one is not an error. */
  put(digest: Digest, bytes: Uint8Array): Promise<void>
}

/** Keeps blobs as files of a directory, which is made when needed. Several processes may share it. */
export function directoryCache(directory: string): BlobCache {
  const pathOf = (digest: Digest): string => join(directory, digest.replace(':', '-'))
  return {
    get: (digest) => readFile(pathOf(digest)).catch(() => undefined),
    async put(digest, bytes) {
      const temporary = join(directory, `.part-${randomBytes(8).toString('hex')}`)
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        await writeFile(temporary, bytes, { mode: 0o600, flag: 'wx' })
        await rename(temporary, pathOf(digest))
      } catch {
        await rm(temporary, { force: true })
      }
    },
  }
}
