import { type Header, pack } from 'tar-stream'
import { gzip } from '../archive/gzip.ts'
import { type Digest, digestOf } from '../digest.ts'
import { type Image, imageOf, json } from '../image/build-image.ts'
import { LAYER_ANNOTATION, MEDIA_TYPES } from '../image/manifest.ts'
import { hostPlatform } from './platform.ts'

/** An entry of a layer as anybody may make one. */
export type Entry = Partial<Header> & { readonly name: string; readonly text?: string | Uint8Array }

export interface ImageSpec {
  readonly layers: readonly (readonly Entry[] | Uint8Array)[]
  readonly config?: Readonly<Record<string, unknown>>
  readonly platform?: { readonly os: string; readonly architecture: string }
  /** package.yaml, in a layer of its own. */
  readonly yaml?: string
  readonly compress?: boolean
}

export async function layerTar(entries: readonly Entry[]): Promise<Uint8Array> {
  const archive = pack()
  const chunks: Uint8Array[] = []
  const collected = (async () => {
    for await (const chunk of archive) chunks.push(chunk as Uint8Array)
  })()
  for (const { text, ...given } of entries)
    await new Promise<void>((resolve, reject) => {
      const entry = { mtime: new Date(0), ...given }
      const done = (error?: Error | null): void => (error ? reject(error) : resolve())
      if ((entry.type ?? 'file') === 'file') archive.entry(entry as Header, Buffer.from(text ?? ''), done)
      else archive.entry(entry as Header, done)
    })
  archive.finalize()
  await collected
  return Buffer.concat(chunks)
}

/** An image whose layers are these, as a registry would have it. */
export async function programImage({ layers, config = {}, platform = hostPlatform(), yaml, compress = true }: ImageSpec): Promise<Image> {
  const archives = [...layers, ...(yaml === undefined ? [] : [[{ name: 'package.yaml', text: yaml }]])]
  const blobs = new Map<Digest, Uint8Array>()
  const described = []
  for (const [at, given] of archives.entries()) {
    const archive = given instanceof Uint8Array ? given : await layerTar(given as readonly Entry[])
    const bytes = compress ? await gzip(archive) : archive
    const isBase = yaml !== undefined && at === archives.length - 1
    const descriptor = {
      mediaType: MEDIA_TYPES.layer,
      digest: digestOf(bytes),
      size: bytes.length,
      ...(isBase && { annotations: { [LAYER_ANNOTATION]: 'base' } }),
    }
    blobs.set(descriptor.digest, bytes)
    described.push({ descriptor, diffId: digestOf(archive) })
  }
  const written = json({
    ...platform,
    config,
    rootfs: { type: 'layers', diff_ids: described.map(({ diffId }) => diffId) },
  })
  const configDescriptor = { mediaType: MEDIA_TYPES.config, digest: digestOf(written), size: written.length }
  blobs.set(configDescriptor.digest, written)
  return imageOf(
    configDescriptor,
    described.map(({ descriptor }) => descriptor),
    blobs,
  )
}
