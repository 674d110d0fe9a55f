import { gunzip, isGzip } from '../archive/gzip.ts'
import { readTar } from '../archive/read-tar.ts'
import { type Digest, digestOf } from '../digest.ts'
import { textOf } from '../format/read-directory.ts'
import type { Limits } from '../limits.ts'
import { PackageError } from '../package-error.ts'
import { type Program, programOf } from '../program/program.ts'
import type { ImageStore } from './image-store.ts'
import {
  BASE_LAYER,
  chooseImage,
  type Descriptor,
  FILES_LAYER,
  jsonOf,
  LAYER_ANNOTATION,
  type Manifest,
  parseManifest,
} from './manifest.ts'

const PACKAGE_FILE = 'package.yaml'

/** What an image holds of a package. */
export interface ImageContents {
  readonly digest: Digest
  /** Text of package.yaml. */
  readonly yaml: string
  readonly files: ReadonlyMap<string, Uint8Array>
  /** What it runs, if anything. */
  readonly program?: Program
}

/** Follows the image from its root to package.yaml and the files that travel with it. */
export async function readImage(store: ImageStore, limits: Limits): Promise<ImageContents> {
  const root = await store.root()
  const manifest = await manifestOf(store, root.bytes)
  const config = await store.blob(manifest.config)
  const diffIds = diffIdsOf(config, store.name)
  const unpack = async (layer: Descriptor): Promise<Uint8Array> => {
    const bytes = await store.blob(layer)
    const what = `layer ${layer.digest} of ${store.name}`
    const archive = isGzip(bytes) ? await gunzip(bytes, { maxBytes: limits.unpackedBytes, what }) : bytes
    const expected = diffIds[manifest.layers.indexOf(layer)]
    if (expected !== undefined && digestOf(archive) !== expected)
      throw new PackageError(
        'DigestMismatch',
        `${what} does not unpack to what the image says (${expected}): it was damaged or tampered with`,
      )
    return archive
  }
  const base = layerFor(manifest, BASE_LAYER, store.name)
  const extra = layerFor(manifest, FILES_LAYER, store.name)
  const yaml =
    base === undefined ? await flattened(manifest, unpack, { store, limits }) : await fromLayer(await unpack(base), { store, limits })
  const files =
    extra === undefined
      ? new Map<string, Uint8Array>()
      : await readTar(await unpack(extra), { limits, what: `layer ${extra.digest} of ${store.name}` })
  const program = programOf(config, manifest, store.name)
  return { digest: root.digest, yaml: textOf(yaml, `${PACKAGE_FILE} of ${store.name}`), files, ...(program !== undefined && { program }) }
}

async function manifestOf(store: ImageStore, bytes: Uint8Array): Promise<Manifest> {
  const document = parseManifest(bytes, `manifest of ${store.name}`)
  if (document.kind === 'manifest') return document.manifest
  const chosen = chooseImage(document.manifests, store.name)
  const inner = parseManifest(await store.manifest(chosen), `manifest ${chosen.digest} of ${store.name}`)
  if (inner.kind === 'manifest') return inner.manifest
  throw new PackageError('Malformed', `${store.name} is an image index of image indexes`)
}

function layerFor({ layers }: Manifest, part: string, name: string): Descriptor | undefined {
  const found = layers.filter(({ annotations }) => annotations?.[LAYER_ANNOTATION] === part)
  if (found.length > 1)
    throw new PackageError('Malformed', `${name} has ${found.length} layers annotated ${LAYER_ANNOTATION}: ${part}; one is allowed`)
  return found[0]
}

/** Digests of the unpacked layers. Absent from configurations that are not of an image, and then not checked. */
function diffIdsOf(config: Uint8Array, name: string): readonly string[] {
  const { rootfs } = jsonOf(config, `configuration of ${name}`) as { rootfs?: { diff_ids?: unknown } | null }
  return Array.isArray(rootfs?.diff_ids) ? (rootfs.diff_ids as string[]) : []
}

interface Reading {
  readonly store: ImageStore
  readonly limits: Limits
}

async function fromLayer(archive: Uint8Array, { store, limits }: Reading): Promise<Uint8Array> {
  const found = (await readTar(archive, { limits, what: `base layer of ${store.name}` })).get(PACKAGE_FILE)
  if (found === undefined) throw new PackageError('Malformed', `the base layer of ${store.name} contains no ${PACKAGE_FILE}`)
  return found
}

/** An image without annotations, such as `docker push` makes of one: the file system that its layers add up to. */
async function flattened(
  manifest: Manifest,
  unpack: (layer: Descriptor) => Promise<Uint8Array>,
  { store, limits }: Reading,
): Promise<Uint8Array> {
  const removals = new Set([`.wh.${PACKAGE_FILE}`, '.wh..wh..opq'])
  let found: Uint8Array | undefined
  for (const layer of manifest.layers) {
    const only = (name: string): boolean => name === PACKAGE_FILE || removals.has(name)
    const files = await readTar(await unpack(layer), { limits, what: `layer ${layer.digest} of ${store.name}`, only })
    if ([...removals].some((name) => files.has(name))) found = undefined
    found = files.get(PACKAGE_FILE) ?? found
  }
  if (found === undefined)
    throw new PackageError('Malformed', `${store.name} contains no ${PACKAGE_FILE}; is it a package, or some other image?`)
  return found
}
