import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { messageOf } from '@weft/api'
import type { Digest } from '../digest.ts'
import { PackageError } from '../package-error.ts'

interface OpenOptions {
  readonly diffId: Digest
  /** More is not unpacked. */
  readonly maxBytes: number
  readonly what: string
  readonly signal?: AbortSignal | undefined
}

/** The archive in the file of a layer. Throws at its end when it is not the one that the image speaks of: whatever was read is then to be thrown away. */
export async function* openLayer(path: string, { diffId, maxBytes, what, signal }: OpenOptions): AsyncGenerator<Uint8Array> {
  const unpack = await decompressor(path, what)
  const file = createReadStream(path, { signal })
  const stream: AsyncIterable<Uint8Array> = unpack === undefined ? file : file.on('error', (error) => unpack.destroy(error)).pipe(unpack)
  const hash: Hash = createHash('sha256')
  let length = 0
  try {
    for await (const chunk of stream) {
      length += chunk.length
      if (length > maxBytes) throw new PackageError('TooLarge', `${what} unpacks to more than ${maxBytes} bytes; it is refused`)
      hash.update(chunk)
      yield chunk
    }
  } catch (cause) {
    if (cause instanceof PackageError) throw cause
    if (signal?.aborted === true) throw new PackageError('Unavailable', `${what} was given up`, { cause })
    throw new PackageError('Malformed', `${what} cannot be unpacked: ${messageOf(cause)}`, { cause })
  } finally {
    file.destroy()
    unpack?.destroy()
  }
  const actual = `sha256:${hash.digest('hex')}`
  if (actual !== diffId)
    throw new PackageError('DigestMismatch', `${what} does not unpack to what the image says (${diffId}): it was damaged or tampered with`)
}

async function decompressor(path: string, what: string): Promise<Transform | undefined> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    if (buffer[0] === 0x1f && buffer[1] === 0x8b) return zlib.createGunzip()
    if (buffer.readUInt32LE() !== 0xfd2fb528) return undefined
    // Newer versions of Node alone have it.
    const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform }
    if (createZstdDecompress !== undefined) return createZstdDecompress()
    throw new PackageError(
      'Unsupported',
      `${what} is compressed with zstd, which needs Node 22.15 or newer; this is Node ${process.version}`,
    )
  } finally {
    await file.close()
  }
}
