import { promisify } from 'node:util'
import { gunzip as gunzipCallback, gzip as gzipCallback } from 'node:zlib'
import { messageOf } from '@weft/api'
import { PackageError } from '../package-error.ts'

const gzipAsync = promisify(gzipCallback)
const gunzipAsync = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzipCallback)

const OPERATING_SYSTEM = 9
const UNKNOWN = 255

/** Compresses to bytes that say nothing about the machine or the time. */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = await gzipAsync(bytes, { level: 6 })
  packed[OPERATING_SYSTEM] = UNKNOWN
  return packed
}

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Stops at `maxBytes`: a few kilobytes can unpack to any number of gigabytes. */
export async function gunzip(
  bytes: Uint8Array,
  { maxBytes, what }: { readonly maxBytes: number; readonly what: string },
): Promise<Uint8Array> {
  try {
    return await gunzipAsync(bytes, { maxOutputLength: maxBytes })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new PackageError('TooLarge', `${what} unpacks to more than ${maxBytes} bytes; it is refused`, { cause })
    throw new PackageError('Malformed', `${what} is not a complete gzip stream: ${messageOf(cause)}`, { cause })
  }
}
