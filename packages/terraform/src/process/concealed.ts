/** Shorter ones could be words of any message. */
const SHORTEST = 6
const MOST = 100_000
const HIDDEN = '(hidden)'

/**
 * Texts that a log must not show: what is sensitive in configurations and states. Programs print them as they are, quoted, encoded or line by
 * line. Takes time by the length of what is hidden from, not by how much there is to hide.
 */
export class Concealed {
  /** In the order in which they were last named: the oldest go first. */
  readonly #known = new Set<string>()
  readonly #byPrefix = new Map<string, Set<string>>()

  add(texts: readonly string[]): void {
    for (const text of texts)
      if (text.length >= SHORTEST)
        for (const form of quotedForms(text)) {
          const isNew = !this.#known.delete(form)
          this.#known.add(form)
          if (!isNew) continue
          const prefix = form.slice(0, SHORTEST)
          this.#byPrefix.set(prefix, (this.#byPrefix.get(prefix) ?? new Set()).add(form))
          if (this.#known.size > MOST) this.#forgetOldest()
        }
  }

  hide(text: string): string {
    if (this.#known.size === 0) return text
    let shown = ''
    let from = 0
    for (let at = 0; at + SHORTEST <= text.length;) {
      const length = this.#lengthAt(text, at)
      if (length === 0) at++
      else {
        shown += text.slice(from, at) + HIDDEN
        from = at += length
      }
    }
    return shown + text.slice(from)
  }

  #lengthAt(text: string, at: number): number {
    let longest = 0
    for (const form of this.#byPrefix.get(text.slice(at, at + SHORTEST)) ?? [])
      if (form.length > longest && text.startsWith(form, at)) longest = form.length
    return longest
  }

  #forgetOldest(): void {
    const [oldest = ''] = this.#known
    this.#known.delete(oldest)
    const prefix = oldest.slice(0, SHORTEST)
    const rest = this.#byPrefix.get(prefix)
    rest?.delete(oldest)
    if (rest?.size === 0) this.#byPrefix.delete(prefix)
  }
}

/** How programs write a text: as it is, quoted, as base64, in an address, and what has several lines also line by line. */
export function quotedForms(text: string): string[] {
  const lines = text.includes('\n') ? text.split(/\r?\n/).filter(({ length }) => length >= SHORTEST) : []
  const forms = [text, JSON.stringify(text).slice(1, -1), Buffer.from(text).toString('base64'), inAddress(text), ...lines]
  return [...new Set(forms)].filter(({ length }) => length > 0)
}

function inAddress(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // Half of a pair of surrogates.
    return text
  }
}
