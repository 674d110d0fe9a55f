import { isJsonObject, messageOf, parseJson } from '@weft/api'
import { writeTar } from '../archive/write-tar.ts'
import { type Digest, digestOf, isDigest, verifyDigest } from '../digest.ts'
import { PackageError } from '../package-error.ts'
import { type Image, imageOf, json } from './build-image.ts'
import { type Descriptor, jsonOf, LAYER_ANNOTATION, MEDIA_TYPES } from './manifest.ts'
import { layoutFiles } from './oci-layout.ts'

/** Lists, in an archive as `docker save` and Crossplane write it, the names of configuration and layers. */
export const TARBALL_MANIFEST = 'manifest.json'

/**
 * An .xpkg file: an OCI layout in a tar archive that also has docker's `manifest.json`, which is what Crossplane's tools read. The same
 * image always gives the same bytes.
 */
export function writeTarball(image: Image): Promise<Uint8Array> {
  const name = (digest: Digest): string => `blobs/sha256/${digest.slice('sha256:'.length)}`
  const manifest = [{ Config: name(image.config.digest), RepoTags: null, Layers: image.layers.map(({ digest }) => name(digest)) }]
  return writeTar([...layoutFiles(image), [TARBALL_MANIFEST, json(manifest)]])
}

/** The image in an archive that has no OCI layout, only docker's `manifest.json`. The annotations of layers come from labels. */
export function tarballImage(files: ReadonlyMap<string, Uint8Array>, name: string): Image {
  const { config: configName, layers: layerNames } = entryOf(files.get(TARBALL_MANIFEST), name)
  const fileOf = (path: string): Uint8Array => {
    const bytes = files.get(path)
    if (bytes === undefined)
      throw new PackageError('Malformed', `${name} lacks ${JSON.stringify(path)}, which its ${TARBALL_MANIFEST} names: it is incomplete`)
    verifyName(path, bytes, name)
    return bytes
  }
  const config = fileOf(configName)
  const labels = labelsOf(config, name)
  const layers = layerNames.map((path) => {
    const bytes = fileOf(path)
    const digest = digestOf(bytes)
    const part = labels[`${LAYER_ANNOTATION}:${digest}`]
    const descriptor: Descriptor = {
      mediaType: MEDIA_TYPES.layer,
      digest,
      size: bytes.length,
      ...(part !== undefined && { annotations: { [LAYER_ANNOTATION]: part } }),
    }
    return { descriptor, bytes }
  })
  const blobs = new Map([[digestOf(config), config], ...layers.map(({ descriptor, bytes }) => [descriptor.digest, bytes] as const)])
  const configDescriptor = { mediaType: MEDIA_TYPES.config, digest: digestOf(config), size: config.length }
  return imageOf(
    configDescriptor,
    layers.map(({ descriptor }) => descriptor),
    blobs,
  )
}

function entryOf(bytes: Uint8Array | undefined, name: string): { config: string; layers: readonly string[] } {
  if (bytes === undefined)
    throw new PackageError('Malformed', `${name} has neither ${TARBALL_MANIFEST} nor an OCI layout: it is not an .xpkg file`)
  let value: unknown
  try {
    value = parseJson(Buffer.from(bytes).toString()).value
  } catch (cause) {
    throw new PackageError('Malformed', `${TARBALL_MANIFEST} of ${name} is not JSON: ${messageOf(cause)}`, { cause })
  }
  if (!Array.isArray(value) || value.length !== 1)
    throw new PackageError(
      'Malformed',
      `${name} must contain exactly one image; it contains ${Array.isArray(value) ? value.length : 'none'}`,
    )
  const entry: unknown = value[0]
  const { Config: config, Layers: layers } = isJsonObject(entry) ? entry : {}
  if (typeof config !== 'string' || !Array.isArray(layers) || layers.some((layer) => typeof layer !== 'string'))
    throw new PackageError('Malformed', `${TARBALL_MANIFEST} of ${name} names no Config and Layers`)
  return { config, layers: layers as string[] }
}

/** Crossplane's tools name files after their digest: `sha256:…`, `….json`, `….tar.gz`. */
function verifyName(path: string, bytes: Uint8Array, name: string): void {
  const hex = /(?:^|[/:])([0-9a-f]{64})(?:\.(?:json|tar|tar\.gz))?$/.exec(path)?.[1]
  // A name may be the digest of the layer before compression, which readImage compares by itself.
  if (hex === undefined || path.endsWith('.tar')) return
  const digest = `sha256:${hex}`
  if (isDigest(digest)) verifyDigest(bytes, digest, `${JSON.stringify(path)} in ${name}`)
}

function labelsOf(config: Uint8Array, name: string): Readonly<Record<string, string>> {
  const { config: inner } = jsonOf(config, `configuration of ${name}`)
  const labels = isJsonObject(inner) ? inner['Labels'] : undefined
  return isJsonObject(labels) ? (labels as Record<string, string>) : {}
}
