const isLetter = (char: string): boolean => /\p{L}/u.test(char)
const isDigit = (char: string | undefined): boolean => char !== undefined && /\p{Nd}/u.test(char)

/** Keys sort by their letters, and by numbers as people count: `a2` before `a10`. */
export function compareKeys(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  for (let i = 0; i < left.length && i < right.length; i++) {
    const [x, y] = [left[i] as string, right[i] as string]
    if (x === y) continue
    const [xLetter, yLetter] = [isLetter(x), isLetter(y)]
    if (xLetter && yLetter) return compare(x.codePointAt(0), y.codePointAt(0))
    if (xLetter || yLetter) return yLetter ? -1 : 1
    // A zero within a number is a digit of it: 10 is more than 1.
    const start = (x === '0' || y === '0') && isWithinNumber(left, i) ? '1' : ''
    const [xRun, yRun] = [runAt(left, i), runAt(right, i)]
    return (
      compare(BigInt(start + xRun || '0'), BigInt(start + yRun || '0')) ||
      compare(xRun.length, yRun.length) ||
      compare(x.codePointAt(0), y.codePointAt(0))
    )
  }
  return left.length - right.length
}

const compare = <T extends number | bigint>(a: T | undefined, b: T | undefined): number =>
  (a ?? 0) < (b ?? 0) ? -1 : (a ?? 0) > (b ?? 0) ? 1 : 0

function isWithinNumber(chars: readonly string[], end: number): boolean {
  for (let i = end - 1; i >= 0 && isDigit(chars[i]); i--) if (chars[i] !== '0') return true
  return false
}

const runAt = (chars: readonly string[], start: number): string => /^\d*/.exec(chars.slice(start).join(''))?.[0] ?? ''
