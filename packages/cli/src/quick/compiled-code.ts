import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** What V8 compiled of a source, kept for the next process. Never needed: whoever finds nothing compiles. */
export interface CompiledCode {
  recall(): Buffer | undefined
  /** Does nothing where it cannot write, or where others can. */
  keep(code: () => Buffer): void
}

/** V8 compares only the length of a source with what it compiled, so the name has a digest of it. Whatever is kept for another text of that name goes. */
export function compiledCode(name: string, source: string, folder?: string): CompiledCode {
  const start = `${name}-${process.version}-${process.arch}-`
  const file = `${start}${digest(source).toString('hex').slice(0, 32)}.bin`
  return {
    recall() {
      try {
        const own = folder ?? defaultFolder()
        return isOurs(own) ? whole(readFileSync(join(own, file))) : undefined
      } catch {
        return undefined
      }
    },
    keep(code) {
      try {
        const own = folder ?? defaultFolder()
        mkdirSync(own, { recursive: true, mode: 0o700 })
        if (!isOurs(own)) return
        // Another command may read it at this moment.
        const half = join(own, `${file}.${process.pid}`)
        const bytes = code()
        writeFileSync(half, Buffer.concat([digest(bytes), bytes]), { mode: 0o600 })
        renameSync(half, join(own, file))
        for (const other of readdirSync(own)) if (other.startsWith(start) && other !== file) rmSync(join(own, other), { force: true })
      } catch {
        // No home, a full disk, a read-only file system: the next command compiles again.
      }
    },
  }
}

const digest = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest()
const DIGEST_BYTES = 32

/** V8 trusts what it is given: half a file, or a damaged one, could end the process. */
function whole(file: Buffer): Buffer | undefined {
  const code = file.subarray(DIGEST_BYTES)
  return digest(code).equals(file.subarray(0, DIGEST_BYTES)) ? code : undefined
}

const defaultFolder = (): string => join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'weft', 'code')

/** What is read from there runs as us. On Windows a home is its user's alone. */
function isOurs(folder: string): boolean {
  const { uid, mode } = statSync(folder)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}
