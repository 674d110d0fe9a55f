const ENTRIES = 256
const TEXT_LENGTH = 256

/**
 * A check of texts that remembers its last answers. Updates revalidate mostly unchanged strings, and matching a pattern
 * or parsing a date costs about a microsecond; long texts are not kept.
 */
export function remembering(check: (text: string) => boolean): (text: string) => boolean {
  const answers = new Map<string, boolean>()
  return (text) => {
    if (text.length > TEXT_LENGTH) return check(text)
    const known = answers.get(text)
    if (known !== undefined) return known
    if (answers.size >= ENTRIES) answers.clear()
    const answer = check(text)
    answers.set(text, answer)
    return answer
  }
}
