import { type FileHandle, open } from 'node:fs/promises'
import { PackageError, send } from '@weft/xpkg'

/** No provider is larger; what is would fill the disk. */
const ARCHIVE_BYTES = 2 * 2 ** 30

export interface DownloadOptions {
  readonly what: string
  readonly signal: AbortSignal
  /** Called as it goes on; `total` where the server said how much it is. */
  readonly onProgress?: ((bytes: number, total: number | undefined) => void) | undefined
}

/** Brings a file here, a part at a time: it may be larger than memory should be. */
export async function download(url: URL, path: string, { what, signal, onProgress }: DownloadOptions): Promise<void> {
  let file: FileHandle | undefined
  let bytes = 0
  let total: number | undefined
  try {
    const { status } = await send({
      method: 'GET',
      url,
      maxBytes: ARCHIVE_BYTES,
      signal,
      into: {
        async begin(announced) {
          await file?.close()
          file = await open(path, 'w', 0o600)
          bytes = 0
          total = announced
        },
        async write(chunk) {
          await file?.write(chunk)
          bytes += chunk.length
          onProgress?.(bytes, total)
        },
      },
    })
    if (status !== 200)
      throw new PackageError(
        status === 404 ? 'NotFound' : status === 401 || status === 403 ? 'Unauthorized' : 'Unavailable',
        `${what}: its file cannot be fetched, ${url.host} answered HTTP ${status}`,
      )
  } finally {
    await file?.close()
  }
}
