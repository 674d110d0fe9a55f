import { isIpv4, isIpv6 } from './network.ts'

/**
 * `email`: one RFC 5322 address, with or without a display name (`Ada <ada@example.org>`), as Go's
 * `mail.ParseAddress` accepts it. One left-to-right scan, no expression with nested repetition.
 */
export function isEmail(text: string): boolean {
  const reader = new AddressReader(text)
  return reader.address() && reader.atEnd()
}

const atomText = /[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]/u

class AddressReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  atEnd(): boolean {
    return this.#skipComments() && this.#at === this.#text.length
  }

  address(): boolean {
    this.#skipSpace()
    const start = this.#at
    if (this.#addrSpec()) return true
    this.#at = start
    if (this.#peek() !== '<' && !this.#phrase()) return false
    this.#skipSpace()
    if (!this.#take('<')) return false
    return this.#addrSpec() && this.#take('>')
  }

  #addrSpec(): boolean {
    const start = this.#at
    this.#skipSpace()
    const local = this.#peek() === '"' ? this.#quotedString() : this.#dotAtom()
    if (!local || !this.#take('@')) {
      this.#at = start
      return false
    }
    this.#skipSpace()
    if (this.#peek() === '[' ? this.#domainLiteral() : this.#dotAtom()) return true
    this.#at = start
    return false
  }

  #phrase(): boolean {
    let words = 0
    for (;;) {
      // A comment may follow a word of the name, not start it.
      if (words > 0 && !this.#skipComments()) return false
      this.#skipSpace()
      const word = this.#peek() === '"' ? this.#quotedString() : this.#atoms()
      if (!word) return words > 0
      words++
    }
  }

  #dotAtom(): boolean {
    const start = this.#at
    if (!this.#atoms()) return false
    const atom = this.#text.slice(start, this.#at)
    return !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..')
  }

  #atoms(): boolean {
    const start = this.#at
    for (let char = this.#peek(); char === '.' || (char !== '' && atomText.test(char)); char = this.#peek()) this.#at += char.length
    return this.#at > start
  }

  #quotedString(): boolean {
    this.#at++
    for (let char = this.#peek(); char !== ''; char = this.#peek()) {
      this.#at += char.length
      if (char === '"') return true
      if (char === '\\') {
        const escaped = this.#peek()
        if (escaped === '' || escaped === '\n' || escaped === '\r') return false
        this.#at += escaped.length
      } else if (char < ' ' && char !== '\t') return false
    }
    return false
  }

  #domainLiteral(): boolean {
    const close = this.#text.indexOf(']', this.#at)
    if (close < 0) return false
    const literal = this.#text.slice(this.#at + 1, close)
    this.#at = close + 1
    return literal.startsWith('IPv6:') ? isIpv6(literal.slice(5)) : isIpv4(literal) && !literal.includes(':')
  }

  #skipComments(): boolean {
    for (;;) {
      this.#skipSpace()
      if (this.#peek() !== '(') return true
      let depth = 0
      do {
        const char = this.#peek()
        if (char === '') return false
        if (char === '(') depth++
        else if (char === ')') depth--
        else if (char === '\\') this.#at++
        this.#at += char.length
      } while (depth > 0)
    }
  }

  #skipSpace(): void {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#at++
  }

  #peek(): string {
    const code = this.#text.codePointAt(this.#at)
    return code === undefined ? '' : String.fromCodePoint(code)
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false
    this.#at++
    return true
  }
}
