const LONGEST = 240

/** The first sentence of a provider's description, without its markup: whole ones fill books, and no definition may. */
export function firstSentence(text: string): string {
  const plain = text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]{1,3}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const end = /[.!?](?=\s+[A-Z(]|$)/.exec(plain)
  const sentence = end === null ? plain : plain.slice(0, end.index + 1)
  return sentence.length <= LONGEST ? sentence : `${sentence.slice(0, LONGEST - 1).trimEnd()}…`
}

/** A description that says, first of all, that the thing should not be used any more. */
export function describe(text: string, { deprecated, deprecationMessage }: { deprecated: boolean; deprecationMessage: string }): string {
  const sentence = firstSentence(text)
  if (!deprecated) return sentence
  const why = firstSentence(deprecationMessage)
  return [`Deprecated${why === '' ? '.' : `: ${why}`}`, sentence].filter((part) => part !== '').join(' ')
}
