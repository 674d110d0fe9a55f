import type { KubeObject } from '@weft/api'

/** What a conversion cannot carry over. With it, the result means something else than what was converted. */
export interface Loss {
  /** The object as it was given. */
  readonly object: KubeObject
  /** The field, in that object. */
  readonly path: string
  /** What the field says that the other side has no words for, and what becomes of it. */
  readonly message: string
}

/** Notes a loss of the object at hand. Converters leave out what they tell of, and go on: one pass finds everything. */
export type Tell = (path: string, message: string) => void
