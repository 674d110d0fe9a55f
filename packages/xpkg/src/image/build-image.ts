import { isJsonObject, type JsonObject, stringifyJson } from '@weft/api'
import { gzip } from '../archive/gzip.ts'
import { writeTar } from '../archive/write-tar.ts'
import { type Digest, digestOf } from '../digest.ts'
import type { Package } from '../format/package.ts'
import type { Platform } from '../program/platform.ts'
import { BASE_LAYER, type Descriptor, FILES_LAYER, LAYER_ANNOTATION, MEDIA_TYPES } from './manifest.ts'

/** An image in memory. The same package always has the same bytes, and so the same digest, wherever it is kept. */
export interface Image {
  /** Digest of the manifest: what the image is known by. */
  readonly digest: Digest
  readonly manifest: Uint8Array
  readonly mediaType: string
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
  /** Configuration and layers. */
  readonly blobs: ReadonlyMap<Digest, Uint8Array>
}

/** A layer in memory. */
export interface Layer {
  readonly descriptor: Descriptor
  readonly bytes: Uint8Array
  /** Digest of the archive before compression. */
  readonly diffId: Digest
}

/** What the image of a package runs: the layers with its files, and how it is started. */
export interface Runtime {
  readonly platform: Platform
  /** As in the configuration of an image: Entrypoint, Cmd, Env, WorkingDir. */
  readonly config: JsonObject
  readonly layers: readonly Layer[]
}

const NOTHING: Runtime = { platform: { os: 'linux', architecture: 'amd64' }, config: {}, layers: [] }

/**
 * Makes the image of a package as Crossplane lays it out: package.yaml in a layer of its own, annotated `io.crossplane.xpkg: base`, over the layers of what
 * it runs.
 */
export async function buildImage(contents: Package, { platform, config: started, layers: below }: Runtime = NOTHING): Promise<Image> {
  const own = [await layerOf([['package.yaml', packageYaml(contents)]], BASE_LAYER)]
  const files = [...contents.files].toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (files.length > 0) own.push(await layerOf(files, FILES_LAYER))
  const layers = [...below, ...own]
  const config = json({
    architecture: platform.architecture,
    os: platform.os,
    config: {
      ...started,
      // An image tarball cannot hold annotations of layers; Crossplane's push makes them from these labels.
      Labels: {
        ...(isJsonObject(started['Labels']) && started['Labels']),
        ...Object.fromEntries(
          own.map(({ descriptor }) => [`${LAYER_ANNOTATION}:${descriptor.digest}`, descriptor.annotations?.[LAYER_ANNOTATION]]),
        ),
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
  })
  const configDescriptor: Descriptor = { mediaType: MEDIA_TYPES.config, digest: digestOf(config), size: config.length }
  const blobs = new Map([[configDescriptor.digest, config], ...layers.map(({ descriptor, bytes }) => [descriptor.digest, bytes] as const)])
  return imageOf(
    configDescriptor,
    layers.map(({ descriptor }) => descriptor),
    blobs,
  )
}

/** Writes the manifest over a configuration and layers. */
export function imageOf(config: Descriptor, layers: readonly Descriptor[], blobs: ReadonlyMap<Digest, Uint8Array>): Image {
  const manifest = json({ schemaVersion: 2, mediaType: MEDIA_TYPES.manifest, config, layers })
  return { digest: digestOf(manifest), manifest, mediaType: MEDIA_TYPES.manifest, config, layers, blobs }
}

const layerOf = async (files: Iterable<readonly [string, Uint8Array]>, part: string): Promise<Layer> =>
  compressed(await writeTar(files), { [LAYER_ANNOTATION]: part })

/** The layer that holds an archive. */
export async function compressed(archive: Uint8Array, annotations?: Readonly<Record<string, string>>): Promise<Layer> {
  const bytes = await gzip(archive)
  const descriptor = { mediaType: MEDIA_TYPES.layer, digest: digestOf(bytes), size: bytes.length, ...(annotations && { annotations }) }
  return { descriptor, bytes, diffId: digestOf(archive) }
}

/** Documents are JSON, which YAML includes: reading a large provider back is then a matter of milliseconds. */
function packageYaml({ metadata, objects }: Package): Uint8Array {
  return Buffer.from([metadata, ...objects].map((object) => `---\n${stringifyJson(object)}\n`).join(''))
}

export const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
