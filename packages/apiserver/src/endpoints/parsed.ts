import type { ParsedJson } from '@weft/api'

/** A body as a JSON value. */
export interface Parsed {
  readonly value: unknown
  /** What strict decoding complains about in the text itself: keys that occur twice. */
  readonly problems: readonly string[]
}

/** The text is not what it says it is, in the words of Go's decoders. Whoever reads the body says what it should have been. */
export class SyntaxFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SyntaxFault'
  }
}

export const duplicateFields = ({ value, duplicates }: ParsedJson): Parsed => ({
  value,
  problems: duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`),
})
