import type { ParsedJson } from '@weft/api'

/** A body as a JSON value. */
export interface Parsed {
  readonly value: unknown
  /** What strict decoding complains about in the text itself: keys that occur twice. */
  readonly problems: readonly string[]
  /** The text of JSON that has such problems: they are told in its order, among the others. */
  readonly text?: string
  /** Kubernetes sorts keys on the way, as it does with what comes from YAML or out of a patch. Default false. */
  readonly isSorted?: boolean
}

/** The text is not what it says it is, in the words of Go's decoders. Whoever reads the body says what it should have been. */
export class SyntaxFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SyntaxFault'
  }
}

export const duplicateFields = ({ value, duplicates }: ParsedJson, text: string): Parsed =>
  duplicates.length === 0 ? { value, problems: [] } : { value, problems: [...new Set(duplicates)].map(duplicateField), text }

export const duplicateField = (path: string): string => `duplicate field ${JSON.stringify(path)}`
export const unknownField = (path: string): string => `unknown field ${JSON.stringify(path)}`
