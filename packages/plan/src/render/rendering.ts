import type { KubeObject } from '@weft/api'
import type { KnownObjects } from '../known/known-objects.ts'

/** Which patch, base or machinery set a field. */
export interface FieldOrigin {
  /** `spec.forProvider.storageMB` */
  readonly path: string
  /** In words: `Composition/private spec.to[1].patches[2]: spec.storageGB → spec.forProvider.storageMB`. */
  readonly from: string
}

export interface RenderedObject {
  readonly object: KubeObject
  /** Of every leaf, in the order of the object. */
  readonly origins: readonly FieldOrigin[]
}

export interface Rendering {
  /** What would be made, parents first. */
  readonly objects: readonly RenderedObject[]
  /** The intent as it would be written back: with its class or Composition, and the names of what is made for it. */
  readonly intent: KubeObject
  /** What a reader should know: choices that are random on a server, fields that are dropped, patches that found nothing. */
  readonly notes: readonly string[]
}

/** It cannot be rendered; the message names the object and says what to do. */
export class RenderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RenderError'
  }
}

/** One rendering as it grows. */
export interface Draft {
  readonly known: KnownObjects
  readonly objects: RenderedObject[]
  readonly notes: Set<string>
  /** Composites around the one that is rendered: `kind.group Composition`. */
  readonly ancestors: readonly string[]
}
