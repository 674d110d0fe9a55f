import { isJsonObject, messageOf, parseJson } from '@weft/api'
import { type Digest, isDigest } from '../digest.ts'
import { PackageError } from '../package-error.ts'
import { hostPlatform, type Platform, platformText } from '../program/platform.ts'

/** Points to bytes elsewhere in the image. */
export interface Descriptor {
  readonly mediaType: string
  readonly digest: Digest
  readonly size: number
  readonly annotations?: Readonly<Record<string, string>>
  readonly platform?: { readonly os?: string; readonly architecture?: string }
  /** Of something that is no image: what it is. */
  readonly artifactType?: string
}

export interface Manifest {
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
}

export const MEDIA_TYPES = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  dockerManifest: 'application/vnd.docker.distribution.manifest.v2+json',
  dockerIndex: 'application/vnd.docker.distribution.manifest.list.v2+json',
} as const

/** On a layer descriptor: which part of the package the layer holds. */
export const LAYER_ANNOTATION = 'io.crossplane.xpkg'
/** The layer with package.yaml. */
export const BASE_LAYER = 'base'
/** The layer with the other files; Crossplane ignores it. */
export const FILES_LAYER = 'files'

/** What a manifest's bytes may be: an image, or a list of images of which one is to be chosen. */
export type ManifestDocument =
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | { readonly kind: 'index'; readonly manifests: readonly Descriptor[] }

export function parseManifest(bytes: Uint8Array, what: string): ManifestDocument {
  const value = jsonOf(bytes, what)
  if (Array.isArray(value['manifests']) && value['layers'] === undefined)
    return { kind: 'index', manifests: value['manifests'].map((item, at) => descriptorOf(item, `${what}: manifests[${at}]`)) }
  if (!Array.isArray(value['layers']))
    throw new PackageError(
      'Malformed',
      `${what} is neither an image manifest nor an image index; is it an image that was pushed by something else?`,
    )
  return {
    kind: 'manifest',
    manifest: {
      config: descriptorOf(value['config'], `${what}: config`),
      layers: value['layers'].map((item, at) => descriptorOf(item, `${what}: layers[${at}]`)),
    },
  }
}

export function jsonOf(bytes: Uint8Array, what: string): Record<string, unknown> {
  let value: unknown
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).value
  } catch (cause) {
    throw new PackageError('Malformed', `${what} is not JSON: ${messageOf(cause)}`, { cause })
  }
  if (!isJsonObject(value)) throw new PackageError('Malformed', `${what} is not a JSON object`)
  return value
}

export function descriptorOf(value: unknown, what: string): Descriptor {
  if (!isJsonObject(value)) throw new PackageError('Malformed', `${what} is not a descriptor`)
  const { mediaType, digest, size, annotations, platform, artifactType } = value
  if (typeof digest !== 'string' || !isDigest(digest)) throw new PackageError('Malformed', `${what} has no sha256 digest`)
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) throw new PackageError('Malformed', `${what} has no size`)
  return {
    mediaType: typeof mediaType === 'string' ? mediaType : '',
    digest,
    size,
    ...(isJsonObject(annotations) && { annotations: annotations as Record<string, string> }),
    ...(isJsonObject(platform) && { platform: platform as Record<string, string> }),
    ...(typeof artifactType === 'string' && { artifactType }),
  }
}

/**
 * Which image of an index is meant: the one of this machine, whose program can run; else as Crossplane does the only one, or that of linux/amd64, since
 * what packages say is the same for all.
 */
export function chooseImage(manifests: readonly Descriptor[], what: string, host: Platform = hostPlatform()): Descriptor {
  const usable = manifests.filter(({ platform }) => platform?.os !== 'unknown')
  const of = ({ os, architecture }: Platform): Descriptor | undefined =>
    usable.find(({ platform }) => platform?.os === os && platform.architecture === architecture)
  const chosen = of(host) ?? (usable.length === 1 ? usable[0] : of({ os: 'linux', architecture: 'amd64' }))
  if (chosen !== undefined) return chosen
  const offered = usable.map(({ platform }) => `${platform?.os ?? '?'}/${platform?.architecture ?? '?'}`).join(', ')
  throw new PackageError(
    'Malformed',
    `${what} is an image index ${usable.length === 0 ? 'of no images' : `without ${platformText(host)} and linux/amd64 (it has ${offered})`}`,
  )
}
