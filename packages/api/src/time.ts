/** `metav1.Time`: RFC 3339 in UTC with second precision. */
export function formatTime(millis: number): string {
  const second = Math.floor(millis / 1000)
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
    lastSecond = second
  }
  return lastText
}

// Servers stamp thousands of writes with the same second.
let lastSecond = NaN
let lastText = ''

/** `metav1.MicroTime`: RFC 3339 in UTC with six decimals. */
export function formatMicroTime(millis: number): string {
  return new Date(millis).toISOString().replace('Z', '000Z')
}
