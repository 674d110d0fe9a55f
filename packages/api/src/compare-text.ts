/** The order of Go's strings, and of keys in storage: bytewise by UTF-8, which is the order of code points and not that of JavaScript's `<`. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return utf8Rank(x) - utf8Rank(y)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above U+FFFF, so they come after U+E000 to U+FFFF. */
function utf8Rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit <= 0xdfff ? unit + 0x2000 : unit - 0x800
}
