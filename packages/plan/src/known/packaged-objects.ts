import type { KubeObject } from '@weft/api'

/** The objects that come with provider packages. There are many, and a command needs few: they are read when somebody asks. */
export interface PackagedObjects {
  /** Those that mention the word, as a kind is mentioned; others may be among them. */
  mentioning(word: string): readonly KubeObject[]
  all(): readonly KubeObject[]
}

export const NO_PACKAGES: PackagedObjects = { mentioning: () => [], all: () => [] }
