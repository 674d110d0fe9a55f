import { isBlank, isBreak, isPrintable } from './characters.ts'
import { readsAsText } from './reads-as-text.ts'

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal'

interface Analysis {
  readonly isMultiline: boolean
  readonly mayBePlain: boolean
  readonly mayBeSingle: boolean
  readonly mayBeLiteral: boolean
}

/** How a text is written: as plainly as can be, so that it is read as the same text. */
export function styleOf(value: string, isKey: boolean): ScalarStyle {
  const { isMultiline, mayBePlain, mayBeSingle, mayBeLiteral } = analyse(value)
  if (isKey && isMultiline) return 'double'
  if (value.includes('\n')) return mayBeLiteral && !isKey ? 'literal' : 'double'
  if (!readsAsText(value)) return 'double'
  if (mayBePlain && !(isKey && value === '')) return 'plain'
  return mayBeSingle ? 'single' : 'double'
}

/** A key that is short and on one line stands before its colon; another gets a line of its own. */
export const isSimpleKey = (key: string): boolean => new TextEncoder().encode(key).length <= 128 && ![...key].some(isBreak)

function analyse(value: string): Analysis {
  if (value === '') return { isMultiline: false, mayBePlain: true, mayBeSingle: true, mayBeLiteral: false }
  const chars = [...value]
  const isMultiline = chars.some(isBreak)
  const isSpecial = !chars.every(isPrintable)
  const edge = (char: string | undefined): boolean => char === ' ' || isBreak(char)
  const spaceBeforeBreak = chars.some((char, i) => char === ' ' && isBreak(chars[i + 1]))
  const spaceAfterBreak = chars.some((char, i) => isBreak(char) && chars[i + 1] === ' ')
  const isUnsafe = spaceBeforeBreak || isSpecial
  return {
    isMultiline,
    mayBePlain: !isUnsafe && !isMultiline && !edge(chars[0]) && !edge(chars.at(-1)) && !hasIndicators(value, chars),
    mayBeSingle: !isUnsafe && !spaceAfterBreak,
    mayBeLiteral: !isUnsafe && chars.at(-1) !== ' ',
  }
}

/** Does it look like the start of something else, or the end of a key? */
function hasIndicators(value: string, chars: readonly string[]): boolean {
  if (/^(?:---|\.\.\.)/.test(value) || /^[#,[\]{}&*!|>'"%@`]/.test(value)) return true
  if (/^[?:-]/.test(value) && isBlank(chars[1])) return true
  return chars.some((char, i) => i > 0 && ((char === ':' && isBlank(chars[i + 1])) || (char === '#' && isBlank(chars[i - 1]))))
}
