/** Work that may be left and taken up again at each `yield`. */
export type Parts<T> = Generator<void, T, void>

/** Does all parts, one after the other. */
export function atOnce<T>(parts: Parts<T>): T {
  for (;;) {
    const { done, value } = parts.next()
    if (done === true) return value
  }
}
