import type { Digest } from '../digest.ts'
import type { Descriptor } from './manifest.ts'

/** Manifest or index bytes, verified. */
export interface RootManifest {
  readonly bytes: Uint8Array
  readonly digest: Digest
}

/** A place that holds an image: a registry, a layout on disk, an archive. Every answer has been checked against its digest. */
export interface ImageStore {
  /** For messages: what the user named. */
  readonly name: string
  /** What the user named: a manifest or an index. */
  root(): Promise<RootManifest>
  /** A manifest that an index points to. */
  manifest(descriptor: Descriptor): Promise<Uint8Array>
  /** A layer or configuration. */
  blob(descriptor: Descriptor): Promise<Uint8Array>
  /** The same, into a file, where a layer may be too large to be held in memory. */
  download?(descriptor: Descriptor, path: string, maxBytes: number): Promise<void>
}
