/**
 * Says how an output differs from the one that a README shows; undefined when it does not.
 *
 * A README shows one run of many, so: `<name>` stands for anything without blanks, `<...>` for anything on the line, a line `...` for any lines
 * at all, an age (`12s`, `3m5s`) for any age, and columns may have any width.
 */
export function outputDifference(expected: string, actual: string): string | undefined {
  const wanted = linesOf(expected)
  const lines = linesOf(actual)
  const at = firstMismatch(wanted, lines)
  if (at === undefined) return undefined
  return `expected: ${wanted[at] ?? 'no more lines'}\nexpected output:\n${indent(expected)}\nactual output:\n${indent(actual)}`
}

/** The expected line that no actual one fits; undefined when all do. Tries the shortest stretch for each `...` first. */
function firstMismatch(wanted: readonly string[], lines: readonly string[]): number | undefined {
  let furthest = 0
  const fits = (i: number, j: number): boolean => {
    furthest = Math.max(furthest, i)
    const line = wanted[i]
    if (line === undefined) return j === lines.length
    if (line !== '...') return j < lines.length && pattern(line).test(lines[j] ?? '') && fits(i + 1, j + 1)
    for (let next = j; next <= lines.length; next++) if (fits(i + 1, next)) return true
    return false
  }
  return fits(0, 0) ? undefined : furthest
}

const AGE = /^(\d+(d|h|m|s|ms))+$/

function pattern(line: string): RegExp {
  const words = line.split(' ').map((word) => {
    if (AGE.test(word)) return String.raw`(?:\d+(?:d|h|m|s|ms))+`
    return word
      .split(/(<[^<>\s]*>)/)
      .map((part, i) => (part === '<...>' ? '.*' : i % 2 === 1 ? String.raw`\S+` : part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)))
      .join('')
  })
  return new RegExp(`^${words.join(' ')}$`)
}

/** Blanks count as one, and blank lines at the beginning and the end for nothing. */
const linesOf = (text: string): readonly string[] => {
  const trimmed = text.replace(/^\s*\n|\s+$/g, '')
  return trimmed === '' ? [] : trimmed.split('\n').map((line) => line.trim().replace(/\s+/g, ' '))
}

const indent = (text: string): string => text.trimEnd().replace(/^/gm, '  ')
