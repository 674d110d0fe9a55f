/**
 * What function-patch-and-transform leaves behind the last item of a joined list: it takes one byte off, however long the separator is.
 * Undefined: that byte is a part of a letter.
 */
export function joinedTail(separator: string): string | undefined {
  if (separator === '') return ''
  return separator.charCodeAt(separator.length - 1) < 0x80 ? separator.slice(0, -1) : undefined
}
