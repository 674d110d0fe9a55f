/**
 * How much more of something there is late than early: the middle value of the last half against that of the half before. The first quarter does not count, in
 * which caches fill and code is compiled. 1 is flat.
 */
export function flatness(values: readonly number[]): number {
  const steady = values.slice(Math.ceil(values.length / 4))
  const half = Math.floor(steady.length / 2)
  return middle(steady.slice(half)) / middle(steady.slice(0, half))
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
