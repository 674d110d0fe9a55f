import type { Names, Step } from '../scenario.ts'
import type { Random } from './random.ts'

type Json = any

/** Keys of data and labels, few enough to meet again. */
export const KEYS: readonly string[] = ['k1', 'k2', 'k3']

/** One kind of object, and how to make up its content. */
export interface Subject {
  readonly path: string
  readonly apiVersion: string
  readonly kind: string
  /** Those that its requests are about. */
  readonly names: readonly string[]
  content(random: Random, name: string): Json
  /** What may be applied of it. */
  applied?(content: Json): Json
  readonly custom: boolean
  /** On every object of a kind that all stories share, so that lists and deletions find those of one story alone. */
  readonly label?: { readonly key: string; readonly value: string }
  /** What somebody may write to its status; a word unless given. `none`: it is left to the controllers. */
  readonly status?: ((random: Random) => Json) | 'none'
  /** After each write: waits until the server's own controllers have written what they write. */
  readonly settled?: readonly Step[]
}

/** Objects of a kind that has no namespace: their names and their label are of one story. */
export const shared = ({
  id,
}: Names): { readonly names: readonly string[]; readonly label: { readonly key: string; readonly value: string } } => ({
  names: ['a', 'b', 'c'].map((name) => `${name}-${id}`),
  label: { key: 'story', value: id },
})
