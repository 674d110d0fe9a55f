const LETTER = /[A-Za-z0-9+/]/
const isBreak = (byte: number): boolean => byte === 0x0a || byte === 0x0d

/** Where Go's decoder stumbles over a text that is no base64: at a byte, or where the four began that were cut short. Undefined when it is. */
export function illegalBase64(bytes: Uint8Array): number | undefined {
  const at = (i: number): string => String.fromCharCode(bytes[i] as number)
  let i = 0
  for (;;) {
    let letters = 0
    for (; letters < 4;) {
      if (i >= bytes.length) return letters === 0 ? undefined : i - letters
      if (isBreak(bytes[i] as number)) {
        i++
        continue
      }
      const c = at(i)
      i++
      if (LETTER.test(c)) {
        letters++
        continue
      }
      if (c !== '=' || letters < 2) return i - 1
      return afterPadding(bytes, i, letters)
    }
  }
}

function afterPadding(bytes: Uint8Array, from: number, letters: number): number | undefined {
  let i = from
  const skip = (): void => {
    while (i < bytes.length && isBreak(bytes[i] as number)) i++
  }
  skip()
  if (letters === 2) {
    if (i >= bytes.length) return bytes.length
    if (bytes[i] !== 0x3d) return i - 1
    i++
    skip()
  }
  return i < bytes.length ? i : undefined
}
