import type { Digest } from '../digest.ts'
import type { RootManifest } from '../image/image-store.ts'
import type { Descriptor } from '../image/manifest.ts'

/** One repository, to be read: in a registry, or in a bundle. Every answer has been checked against its digest. */
export interface RepositoryReader {
  readonly name: string
  /** The manifest or index of a tag or digest. */
  manifest(reference: string): Promise<RootManifest & { readonly mediaType: string }>
  /** The digest that a tag has now; undefined when there is no such tag. */
  resolve(tag: string): Promise<Digest | undefined>
  blob(descriptor: Pick<Descriptor, 'digest' | 'size'>): Promise<Uint8Array>
  /** A blob into a file, a part at a time: it may be larger than memory should be. */
  download(descriptor: Pick<Descriptor, 'digest' | 'size'>, path: string, maxBytes: number): Promise<void>
  tags(): Promise<string[]>
  /** What says of itself that it is about an image, in no order; none where nothing does. */
  referrers(digest: Digest): Promise<readonly Descriptor[]>
}
