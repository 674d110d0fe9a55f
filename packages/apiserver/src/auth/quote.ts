/** A string in double quotes as Go's `%q` writes it: Kubernetes' messages are compared by programs. */
export function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must be escaped
  return `"${text.replace(/[\u0000-\u001f"\\\u007f]/g, escape)}"`
}

/** `["a" "b"]`: Go's `%q` of a list. */
export const quoteList = (items: readonly string[]): string => `[${items.map(quote).join(' ')}]`

const SHORT: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
}

const escape = (char: string): string => SHORT[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
