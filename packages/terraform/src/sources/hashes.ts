import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PackageError } from '@weft/xpkg'

/** SHA-256 of a file, in hex. */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}

/** `h1:` of a folder: the same for a zip and for what was unpacked from it, and what `.terraform.lock.hcl` keeps. */
export async function folderHash(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const lines: string[] = []
  for (const file of files.map((path) => path.slice(folder.length + 1)).toSorted(byBytes))
    lines.push(`${await fileHash(join(folder, file))}  ${file}\n`)
  return `h1:${createHash('sha256').update(lines.join('')).digest('base64')}`
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Refuses what is not known by one of the hashes. Without any there is nothing to compare with. */
export function mustMatch(found: readonly string[], wanted: readonly string[], what: string): void {
  const comparable = wanted.filter((hash) => found.some((each) => schemeOf(each) === schemeOf(hash)))
  if (comparable.length === 0 || comparable.some((hash) => found.includes(hash))) return
  throw new PackageError(
    'DigestMismatch',
    `${what} is not what was asked for: its hash is ${found.join(', ')}, and should be ${comparable.slice(0, 3).join(' or ')}; it is not used`,
  )
}

const schemeOf = (hash: string): string => hash.slice(0, hash.indexOf(':') + 1)
