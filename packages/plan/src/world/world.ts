import type { GroupKind, KubeObject } from '@weft/api'

/** A kind, and where its objects are kept. */
export interface StoredKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
}

/** What a change may have to do with, as the server has it. Never a Secret. */
export interface World {
  readonly kinds: readonly { readonly kind: StoredKind; readonly objects: readonly KubeObject[] }[]
  /** False: whoever asks may not see who may do what, so that nothing is refused to accounts that compose. */
  readonly rightsKnown: boolean
  /** What could not be read, in sentences. */
  readonly warnings: readonly string[]
  /** Why nothing is known of the objects of a kind; undefined where they were read. */
  mayNotList(kind: GroupKind): string | undefined
  /** Objects of a kind that somebody asks to see and the world lacks. Undefined: whoever plans may not list them. */
  more(kind: GroupKind, wanted: Wanted): Promise<readonly KubeObject[] | undefined>
}

/** Which objects of a kind. */
export interface Wanted {
  readonly namespace?: string | undefined
  /** One by its name; without it those with the labels. */
  readonly name?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
}
