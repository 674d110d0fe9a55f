import { type Digest, verifyDigest } from '../digest.ts'
import { type Descriptor, parseManifest } from '../image/manifest.ts'
import { DEFAULT_LIMITS, type Limits } from '../limits.ts'
import { PackageError } from '../package-error.ts'
import type { RepositoryReader } from '../registry/repository-reader.ts'
import { BUNDLE_TYPE } from '../signature/bundle.ts'
import { type ImageReference, parseSource, repositoryOf } from '../source/package-source.ts'
import { blobName, BundleFile } from './bundle-file.ts'

/** In the index of a bundle: the name of an image, `registry/repository:tag`. */
export const NAME_ANNOTATION = 'org.opencontainers.image.ref.name'
/** And whether somebody asked for it; the others are what those depend on. */
export const ASKED_ANNOTATION = 'dev.weft.bundle.asked'

/** What a bundle calls the manifest of a signed statement about an image. */
export const referrerTag = (digest: Digest, at: number | ''): string => `${digest.replace(':', '-')}.statement-${at}`

/** Packages with all that they depend on, in one file. What it holds is read from it, and not asked of a registry. */
export interface Bundle {
  readonly path: string
  /** Those that it was made for. */
  readonly asked: readonly ImageReference[]
  /** Undefined: it holds nothing of that repository. */
  repository(image: Pick<ImageReference, 'registry' | 'repository'>, limits?: Limits): RepositoryReader | undefined
}

/** Reads what it holds; what is in its packages is checked when they are read. */
export async function openBundle(path: string): Promise<Bundle> {
  const file = await BundleFile.open(path)
  const index = parseManifest(await file.read('index.json', DEFAULT_LIMITS.manifestBytes), `index.json of the bundle ${path}`)
  if (index.kind !== 'index') throw new PackageError('Malformed', `${path} is not a bundle: its index.json lists no images`)
  const repositories = new Map<string, Map<string, Descriptor>>()
  const asked: ImageReference[] = []
  for (const descriptor of index.manifests) {
    const image = imageOf(descriptor, path)
    const name = repositoryOf({ kind: 'image', image })
    const tags = repositories.get(name) ?? new Map<string, Descriptor>()
    repositories.set(name, tags)
    if (tags.has(image.tag)) throw new PackageError('Malformed', `the bundle ${path} contains ${name}:${image.tag} twice`)
    tags.set(image.tag, descriptor)
    if (descriptor.annotations?.[ASKED_ANNOTATION] === 'true') asked.push(image)
  }
  return {
    path,
    asked,
    repository(image, limits = DEFAULT_LIMITS) {
      const name = repositoryOf({ kind: 'image', image })
      const tags = repositories.get(name)
      return tags && readerOf(file, { name, tags, limits })
    },
  }
}

function imageOf({ annotations }: Descriptor, path: string): ImageReference & { readonly tag: string } {
  const text = annotations?.[NAME_ANNOTATION]
  if (typeof text !== 'string')
    throw new PackageError('Malformed', `${path} is not a bundle: an image in it has no name; make one with \`weft package bundle\``)
  const source = parseSource(text)
  if (source.kind !== 'image' || source.image.tag === undefined || source.image.digest !== undefined)
    throw new PackageError('Malformed', `the bundle ${path} names ${JSON.stringify(text)}, which is not registry/repository:tag`)
  return { ...source.image, tag: source.image.tag }
}

interface Held {
  readonly name: string
  readonly tags: ReadonlyMap<string, Descriptor>
  readonly limits: Limits
}

function readerOf(file: BundleFile, { name, tags, limits }: Held): RepositoryReader {
  const read = async (digest: Descriptor['digest'], maxBytes: number): Promise<Uint8Array> => {
    const bytes = await file.read(blobName(digest), maxBytes)
    verifyDigest(bytes, digest, `blob ${digest} of the bundle ${file.path}`)
    return bytes
  }
  return {
    name,
    async manifest(reference) {
      const digest = reference.startsWith('sha256:') ? (reference as Descriptor['digest']) : tags.get(reference)?.digest
      if (digest === undefined) throw new PackageError('NotFound', `the bundle ${file.path} contains no ${name}:${reference}`)
      return { bytes: await read(digest, limits.manifestBytes), digest, mediaType: tags.get(reference)?.mediaType ?? '' }
    },
    resolve: (tag) => Promise.resolve(tags.get(tag)?.digest),
    blob: ({ digest }) => read(digest, limits.blobBytes),
    download: ({ digest }, path, maxBytes) => file.copy(digest, path, maxBytes),
    tags: () => Promise.resolve([...tags.keys()]),
    referrers: (digest) =>
      Promise.resolve(
        [...tags].flatMap(([tag, each]) => (tag.startsWith(referrerTag(digest, '')) ? [{ ...each, artifactType: BUNDLE_TYPE }] : [])),
      ),
  }
}
