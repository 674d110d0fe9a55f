import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pack } from 'tar-stream'
import { resolveFrom } from '../dependencies/look-up.ts'
import type { PackageVersion } from '../dependencies/resolve-dependencies.ts'
import { type Digest, digestOf } from '../digest.ts'
import { type FetchOptions, repositoryFor } from '../fetch-package.ts'
import { json } from '../image/build-image.ts'
import { chooseImage, type Descriptor, MEDIA_TYPES, parseManifest } from '../image/manifest.ts'
import { PackageError } from '../package-error.ts'
import { hostPlatform, type Platform } from '../program/platform.ts'
import { withDeadline } from '../registry/deadline.ts'
import { registryCatalogue } from '../registry/registry-catalogue.ts'
import type { RepositoryReader } from '../registry/repository-reader.ts'
import { attestationTag, bundlesOf, signatureTag } from '../signature/beside-image.ts'
import { type ImageReference, parseSource, repositoryOf } from '../source/package-source.ts'
import { blobName } from './bundle-file.ts'
import { ASKED_ANNOTATION, NAME_ANNOTATION, referrerTag } from './open-bundle.ts'

const EPOCH = new Date(0)
/** As large as a layer of a program may be. */
const LAYER_BYTES = 1024 ** 3

export interface WriteBundleOptions extends FetchOptions {
  /** Whose programs are taken along, of images for several; this machine's, unless given. */
  readonly platform?: Platform | undefined
}

/**
 * Writes packages of registries with everything that they depend on into one file, which is there entirely or not at all. Answers what is in it, each after
 * what it depends on.
 */
export async function writeBundle(path: string, texts: readonly string[], options: WriteBundleOptions): Promise<readonly string[]> {
  const catalogue = registryCatalogue(options)
  const roots = await Promise.all(
    texts.map((text) => rootOf(text, (image) => catalogue.package(repositoryOf({ kind: 'image', image }), image.tag))),
  )
  const resolution = await resolveFrom(catalogue, { roots, installed: [] })
  if (resolution.kind === 'refused') throw new PackageError('Malformed', resolution.problems.map(({ message }) => message).join('; '))
  const folder = await mkdtemp(join(dirname(path), '.weft-bundle-'))
  try {
    const names = await withDeadline(options, `making the bundle ${path}`, async (signal) => {
      const collected = new Collected(folder, options.platform ?? hostPlatform())
      for (const each of resolution.install) {
        options.onProgress?.(`fetching ${each.repository}:${each.version}`)
        const { repository: name, version } = each
        const repository = repositoryFor(imageOf(name), { ...options, signal })
        const digest = await collected.add(repository, { name, version, asked: roots.includes(each) })
        for (const tag of [signatureTag(digest), attestationTag(digest)])
          if ((await repository.resolve(tag)) !== undefined) await collected.add(repository, { name, version: tag, asked: false })
        for (const [at, { digest: version }] of (await bundlesOf(repository, digest)).entries())
          await collected.add(repository, { name, version, tag: referrerTag(digest, at), asked: false })
      }
      await collected.write(join(folder, 'bundle'))
      return resolution.install.map(({ repository, version }) => `${repository}:${version}`)
    })
    await rename(join(folder, 'bundle'), path)
    return names
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Tagged = ImageReference & { readonly tag: string }

interface Wanted {
  readonly name: string
  /** A tag, or a digest, which a dependency may be on. */
  readonly version: string
  /** What it is called in the bundle, if it is not that. */
  readonly tag?: string
  readonly asked: boolean
}

const imageOf = (repository: string): ImageReference => (parseSource(repository) as { readonly image: ImageReference }).image

function rootOf(text: string, look: (image: Tagged) => Promise<PackageVersion>): Promise<PackageVersion> {
  const source = parseSource(text)
  if (source.kind !== 'image' || source.image.tag === undefined || source.image.digest !== undefined)
    throw new PackageError('Malformed', `${text} cannot be put into a bundle: write registry/repository:tag`)
  return look({ ...source.image, tag: source.image.tag })
}

/** Images on their way into a bundle: blobs are files of a folder, by name. */
class Collected {
  readonly #folder: string
  readonly #platform: Platform
  readonly #index: Descriptor[] = []
  readonly #blobs = new Map<Descriptor['digest'], string>()

  constructor(folder: string, platform: Platform) {
    this.#folder = folder
    this.#platform = platform
  }

  async add(
    repository: RepositoryReader,
    { name: home, version, tag = version.replace('sha256:', 'sha256-'), asked }: Wanted,
  ): Promise<Digest> {
    const name = `${home}:${tag}`
    const { bytes, digest, mediaType } = await repository.manifest(version)
    const annotations = { [NAME_ANNOTATION]: name, ...(asked && { [ASKED_ANNOTATION]: 'true' }) }
    this.#index.push({ mediaType, digest, size: bytes.length, annotations })
    await this.#keep(bytes)
    let document = parseManifest(bytes, `manifest of ${name}`)
    if (document.kind === 'index') {
      const chosen = chooseImage(document.manifests, name, this.#platform)
      const inner = await repository.manifest(chosen.digest)
      await this.#keep(inner.bytes)
      document = parseManifest(inner.bytes, `manifest ${chosen.digest} of ${name}`)
    }
    if (document.kind === 'index') throw new PackageError('Malformed', `${name} is an image index of image indexes`)
    for (const each of [document.manifest.config, ...document.manifest.layers]) {
      if (this.#blobs.has(each.digest)) continue
      const file = this.#fileOf(each.digest)
      await repository.download(each, file, LAYER_BYTES)
      this.#blobs.set(each.digest, file)
    }
    return digest
  }

  async write(path: string): Promise<void> {
    const archive = pack()
    const written = pipeline(archive, createWriteStream(path, { mode: 0o644 }))
    const entry = (name: string, size: number): ReturnType<typeof archive.entry> =>
      archive.entry({ name, size, mode: 0o644, mtime: EPOCH, uid: 0, gid: 0, type: 'file' })
    const small: [string, Uint8Array][] = [
      ['oci-layout', json({ imageLayoutVersion: '1.0.0' })],
      ['index.json', json({ schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests: this.#index })],
    ]
    for (const [name, bytes] of small) entry(name, bytes.length).end(bytes)
    for (const [digest, file] of [...this.#blobs].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      await pipeline(createReadStream(file), entry(blobName(digest), (await stat(file)).size))
    archive.finalize()
    await written
  }

  async #keep(bytes: Uint8Array): Promise<void> {
    const digest = digestOf(bytes)
    await writeFile(this.#fileOf(digest), bytes)
    this.#blobs.set(digest, this.#fileOf(digest))
  }

  #fileOf(digest: Descriptor['digest']): string {
    return join(this.#folder, digest.slice('sha256:'.length))
  }
}
