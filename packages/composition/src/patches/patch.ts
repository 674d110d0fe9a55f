import type { FieldPath } from '../fieldpath/path.ts'
import type { Format } from '../transforms/format.ts'
import type { Transform } from '../transforms/transform.ts'
import type { MergePolicy } from './merge.ts'

/**
 * The objects that patches read and write. `composite` is whatever the templates are rendered for (a claim, a composite, an
 * application); `composed` is what a template makes; `environment` is data the caller supplies.
 */
export type PatchSide = 'composite' | 'composed' | 'environment'

/** The one normalised form of every spelling of a patch. Immutable, compiled, reusable. */
export interface Patch {
  /** Where it stood in its document (`spec.to[1].patches[0]`): how messages and explanations name it. */
  readonly origin: string
  /** The patch set it came from, if any. */
  readonly patchSet?: string
  readonly from: PatchSide
  readonly to: PatchSide
  readonly input: PatchInput
  readonly toFieldPath: FieldPath
  readonly transforms: readonly Transform[]
  /** Required: nothing to read is an error. Otherwise the patch is skipped. */
  readonly required: boolean
  /** Undefined: replace. */
  readonly merge: MergePolicy | undefined
}

export type PatchInput =
  | { readonly kind: 'field'; readonly path: FieldPath }
  /** Several values printed into one text. One that is missing makes the whole patch skip. */
  | { readonly kind: 'combine'; readonly variables: readonly FieldPath[]; readonly format: Format }

/** What a patch reads, for messages. */
export const describeInput = (input: PatchInput): string =>
  input.kind === 'field' ? input.path.text : input.variables.map((variable) => variable.text).join(', ')
