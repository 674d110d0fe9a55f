import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { messageOf } from '@weft/api'
import { type Digest, requireDigest } from '../digest.ts'
import { PackageError } from '../package-error.ts'

const BLOCK = 512
const PART_BYTES = 1024 * 1024
const MAX_ENTRIES = 20_000
const NAME = /^(?:oci-layout|index\.json|blobs\/sha256\/[0-9a-f]{64})$/

interface Place {
  readonly offset: number
  readonly size: number
}

export const blobName = (digest: Digest): string => `blobs/sha256/${digest.slice('sha256:'.length)}`

/**
 * The tar archive of a bundle, read in place: layers may be larger than memory should be. It holds the plain files of an OCI layout and nothing else, so there
 * is nothing in it that could be unpacked to somewhere. Whoever made it is not trusted: no entry reaches beyond the file.
 */
export class BundleFile {
  readonly path: string
  readonly #places: ReadonlyMap<string, Place>

  private constructor(path: string, places: ReadonlyMap<string, Place>) {
    this.path = path
    this.#places = places
  }

  static async open(path: string): Promise<BundleFile> {
    const file = await open(path, 'r').catch((cause: unknown) => {
      throw new PackageError('NotFound', `the bundle ${path} cannot be read: ${messageOf(cause)}`, { cause })
    })
    try {
      return new BundleFile(path, await placesIn(file, path))
    } finally {
      await file.close()
    }
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  async read(name: string, maxBytes: number): Promise<Uint8Array> {
    const { size } = this.#place(name)
    if (size > maxBytes)
      throw new PackageError('TooLarge', `${name} of the bundle ${this.path} is ${size} bytes; at most ${maxBytes} are read`)
    const parts: Uint8Array[] = []
    for await (const part of this.#parts(name)) parts.push(part)
    return Buffer.concat(parts)
  }

  async copy(digest: Digest, to: string, maxBytes: number): Promise<void> {
    const name = blobName(digest)
    const { size } = this.#place(name)
    if (size > maxBytes)
      throw new PackageError('TooLarge', `${name} of the bundle ${this.path} is ${size} bytes; at most ${maxBytes} are read`)
    const hash = createHash('sha256')
    const target = await open(to, 'w', 0o600)
    try {
      for await (const part of this.#parts(name)) {
        hash.update(part)
        await target.write(part)
      }
    } finally {
      await target.close()
    }
    requireDigest(`sha256:${hash.digest('hex')}`, digest, `blob ${digest} of the bundle ${this.path}`)
  }

  #place(name: string): Place {
    const place = this.#places.get(name)
    if (place === undefined)
      throw new PackageError(
        'NotFound',
        `the bundle ${this.path} lacks ${name}: it is incomplete, or was created for another platform; create it again with \`weft package bundle --platform …\``,
      )
    return place
  }

  async *#parts(name: string): AsyncIterable<Uint8Array> {
    const { offset, size } = this.#place(name)
    const file = await open(this.path, 'r')
    try {
      for (let at = 0; at < size;) {
        const part = Buffer.alloc(Math.min(PART_BYTES, size - at))
        const { bytesRead } = await file.read(part, 0, part.length, offset + at)
        if (bytesRead === 0) throw cutOff(this.path)
        yield part.subarray(0, bytesRead)
        at += bytesRead
      }
    } finally {
      await file.close()
    }
  }
}

async function placesIn(file: FileHandle, path: string): Promise<ReadonlyMap<string, Place>> {
  const { size: total } = await file.stat()
  const places = new Map<string, Place>()
  const header = Buffer.alloc(BLOCK)
  for (let at = 0; ;) {
    if ((await file.read(header, 0, BLOCK, at)).bytesRead < BLOCK) throw cutOff(path)
    if (header.every((byte) => byte === 0)) return places
    const text = (from: number, length: number): string => header.toString('latin1', from, from + length).replace(/\0.*$/s, '')
    const [name, size, type, magic] = [text(0, 100), Number.parseInt(text(124, 12).trim(), 8), text(156, 1), text(257, 5)]
    if (magic !== 'ustar' || !Number.isSafeInteger(size) || size < 0 || (type !== '0' && type !== ''))
      throw new PackageError('Malformed', `${path} is not a bundle: at byte ${at} is no plain file; make one with \`weft package bundle\``)
    if (!NAME.test(name) || text(345, 155) !== '')
      throw new PackageError(
        'Malformed',
        `${path} is not a bundle: it contains ${JSON.stringify(name)}; make one with \`weft package bundle\``,
      )
    if (places.has(name) || places.size === MAX_ENTRIES)
      throw new PackageError('Malformed', `${path} is not a bundle: it contains ${JSON.stringify(name)} twice, or too many files`)
    const offset = at + BLOCK
    if (offset + size > total) throw cutOff(path)
    places.set(name, { offset, size })
    at = offset + Math.ceil(size / BLOCK) * BLOCK
  }
}

const cutOff = (path: string): PackageError =>
  new PackageError('Malformed', `the bundle ${path} ends too early: it was cut off on its way; copy it again`)
