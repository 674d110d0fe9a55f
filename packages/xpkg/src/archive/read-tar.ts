import { messageOf } from '@weft/api'
import { extract, type Header } from 'tar-stream'
import type { Limits } from '../limits.ts'
import { PackageError } from '../package-error.ts'

export interface ReadTarOptions {
  readonly limits: Pick<Limits, 'unpackedBytes' | 'files'>
  /** For messages. */
  readonly what: string
  /** Keep only these and look at nothing else: for images that are a whole file system, with links and devices. */
  readonly only?: (name: string) => boolean
}

/** Types of entries that hold a file's bytes; everything else could reach outside of the archive. */
const PLAIN = new Set(['file', 'contiguous-file'])

/**
 * The files of a tar archive by name. Never touches the file system. Refuses names that lead out of the archive, links, devices, names that
 * occur twice, and anything beyond the limits.
 */
export async function readTar(bytes: Uint8Array, { limits, what, only }: ReadTarOptions): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  const archive = extract()
  archive.end(bytes)
  let total = 0
  let entries = 0
  try {
    for await (const entry of archive) {
      const { header } = entry
      if (++entries > limits.files && only === undefined)
        throw new PackageError('TooLarge', `${what} contains more than ${limits.files} files`)
      const name = only === undefined ? checkedName(header, what) : plainName(header.name)
      if (name === undefined || !PLAIN.has(header.type ?? 'file') || only?.(name) === false) {
        entry.resume()
        continue
      }
      if (only === undefined && files.has(name)) throw new PackageError('Malformed', `${what} contains ${JSON.stringify(name)} twice`)
      const chunks: Uint8Array[] = []
      for await (const chunk of entry) {
        total += (chunk as Uint8Array).length
        if (total > limits.unpackedBytes) throw new PackageError('TooLarge', `${what} unpacks to more than ${limits.unpackedBytes} bytes`)
        chunks.push(chunk as Uint8Array)
      }
      files.set(name, Buffer.concat(chunks))
    }
  } catch (cause) {
    if (cause instanceof PackageError) throw cause
    throw new PackageError('Malformed', `${what} is not a complete tar archive: ${messageOf(cause)}`, { cause })
  }
  return files
}

/** The name of a file to keep; undefined for a directory. */
function checkedName({ name, type = 'file' }: Header, what: string): string | undefined {
  const refuse = (why: string): never => {
    throw new PackageError('Malformed', `${what} contains ${JSON.stringify(name.slice(0, 200))}, which ${why}; it is refused`)
  }
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return refuse('is an absolute path')
  if (/[\\\0]/.test(name)) return refuse('has a backslash or zero byte in its name')
  if (name.split('/').includes('..')) return refuse('leads out of the archive')
  if (type === 'directory') return undefined
  if (!PLAIN.has(type)) return refuse(`is a ${type}, not a plain file`)
  const plain = plainName(name)
  return plain === '' ? refuse('has no name') : plain
}

const plainName = (name: string): string =>
  name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
