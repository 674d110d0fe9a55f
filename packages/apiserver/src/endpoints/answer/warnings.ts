/** When all texts together are longer than this, each is cut, and no more are taken. */
const MAX_TOTAL = 4 * 1024
const MAX_EACH_WHEN_CUT = 256

/**
 * Warnings of one answer, each once, and no more of them than kube-apiserver sends: they travel in headers, and whoever writes an object
 * decides how many there would be.
 */
export class Warnings {
  readonly #seen = new Set<string>()
  #texts: string[] = []
  #length = 0
  #isCutting = false

  get texts(): readonly string[] {
    return this.#texts
  }

  add(text: string): void {
    if (text === '' || this.isFull || this.#seen.has(text)) return
    this.#seen.add(text)
    if (!this.#isCutting && this.#length + text.length > MAX_TOTAL) this.#cut()
    this.#push(text)
  }

  /** Nothing that is added now would be sent. */
  get isFull(): boolean {
    return this.#isCutting && this.#length >= MAX_TOTAL
  }

  #cut(): void {
    const texts = this.#texts
    this.#isCutting = true
    this.#texts = []
    this.#length = 0
    for (const text of texts) this.#push(text)
  }

  #push(text: string): void {
    const shown = this.#isCutting ? cut(text) : text
    this.#texts.push(shown)
    this.#length += shown.length
  }
}

/** Not in the middle of a character that takes two units. */
function cut(text: string): string {
  if (text.length <= MAX_EACH_WHEN_CUT) return text
  const isHalf = ((text.charCodeAt(MAX_EACH_WHEN_CUT - 1) & 0xfc00) as number) === 0xd800
  return text.slice(0, isHalf ? MAX_EACH_WHEN_CUT - 1 : MAX_EACH_WHEN_CUT)
}
