import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 4 * 1024 * 1024

/** What a provider's process prints, kept in a file and one older one: never more than twice `maxBytes`. */
export interface ProcessLog {
  write(bytes: Uint8Array): void
  close(): void
}

export function openProcessLog(path: string, maxBytes: number = MAX_BYTES): ProcessLog {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const open = (): number => openSync(path, 'a', 0o600)
  let file = open()
  let size = statSync(path).size
  let closed = false
  return {
    write(bytes) {
      if (closed) return
      if (size + bytes.length > maxBytes && size > 0) {
        closeSync(file)
        renameSync(path, `${path}.1`)
        file = open()
        size = 0
      }
      // A single line that is longer than a whole file is cut: the limit is a promise to the disk.
      size += writeSync(file, bytes.subarray(0, maxBytes))
    },
    close() {
      if (closed) return
      closed = true
      closeSync(file)
    },
  }
}
