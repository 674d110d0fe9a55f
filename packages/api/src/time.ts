/** `metav1.Time`: RFC 3339 in UTC with second precision. */
export function formatTime(millis: number): string {
  return `${new Date(millis).toISOString().slice(0, 19)}Z`
}

/** `metav1.MicroTime`: RFC 3339 in UTC with six decimals. */
export function formatMicroTime(millis: number): string {
  return new Date(millis).toISOString().replace('Z', '000Z')
}
