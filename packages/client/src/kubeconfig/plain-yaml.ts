/** What most kubeconfigs are written in: mappings and lists in block style, of words. */
export type PlainValue = string | boolean | PlainValue[] | { [key: string]: PlainValue }

interface Line {
  readonly indent: number
  readonly text: string
}

const KEY = /^([A-Za-z][A-Za-z0-9_.-]*):(?: (.*))?$/
/** Nothing that YAML could take for a number, a date, a tag, a comment, an alias, or for the end of something. */
const WORD = /^[A-Za-z/](?:[A-Za-z0-9_./@+=-]|:(?=[^\s]))*$/
const QUOTED = /^"([^"\\\u0000-\u001F\u007F-\uFFFF]*)"$/
/** Words that mean something else in one version of YAML or another. */
const SPECIAL = /^(true|false|null|yes|no|on|off|y|n)$/i

/**
 * Reads the small part of YAML that kubectl, cloud tools and Weft write kubeconfigs in; undefined for anything beyond it, which is left to a real parser. That one
 * takes longer to load than a server takes to answer.
 */
export function readPlainYaml(text: string): PlainValue | undefined {
  const lines: Line[] = []
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const content = line.trimStart()
    if (content === '' || line !== line.trimEnd() || !/^ *[A-Za-z-]/.test(line)) return undefined
    lines.push({ indent: line.length - content.length, text: content })
  }
  const reader = new Reader(lines)
  const value = lines[0]?.indent === 0 ? reader.block(0) : undefined
  return reader.atEnd ? value : undefined
}

/** Every method answers undefined where the text is not plain; whoever called gives up as well. */
class Reader {
  readonly #lines: Line[]
  #next = 0

  constructor(lines: Line[]) {
    this.#lines = lines
  }

  get atEnd(): boolean {
    return this.#next === this.#lines.length
  }

  block(indent: number): PlainValue | undefined {
    return this.#isItem(indent) ? this.#list(indent) : this.#mapping(indent)
  }

  #isItem(indent: number): boolean {
    const line = this.#lines[this.#next]
    return line?.indent === indent && line.text.startsWith('- ')
  }

  #list(indent: number): PlainValue[] | undefined {
    const items: PlainValue[] = []
    while (this.#isItem(indent)) {
      const text = (this.#lines[this.#next] as Line).text.slice(2)
      if (text.startsWith(' ') || text.startsWith('-')) return undefined
      let item: PlainValue | undefined
      if (KEY.test(text)) {
        // The first key of a mapping stands beside the dash, its other keys below.
        this.#lines[this.#next] = { indent: indent + 2, text }
        item = this.#mapping(indent + 2)
      } else {
        item = scalar(text)
        this.#next++
      }
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }

  #mapping(indent: number): { [key: string]: PlainValue } | undefined {
    const entries = new Map<string, PlainValue>()
    for (let line = this.#lines[this.#next]; line?.indent === indent && !line.text.startsWith('- '); line = this.#lines[this.#next]) {
      const [, key, text] = KEY.exec(line.text) ?? []
      if (key === undefined || SPECIAL.test(key) || entries.has(key)) return undefined
      this.#next++
      const value = text === undefined ? this.#below(indent) : scalar(text)
      if (value === undefined) return undefined
      entries.set(key, value)
    }
    const after = this.#lines[this.#next]
    return entries.size === 0 || (after !== undefined && after.indent > indent) ? undefined : Object.fromEntries(entries)
  }

  /** The value of a key that has nothing beside it: further in, or a list that is not further in. */
  #below(indent: number): PlainValue | undefined {
    const line = this.#lines[this.#next]
    if (line === undefined || line.indent < indent) return undefined
    if (line.indent === indent) return this.#isItem(indent) ? this.#list(indent) : undefined
    return this.block(line.indent)
  }
}

function scalar(text: string): PlainValue | undefined {
  if (text === '{}') return {}
  if (text === '[]') return []
  if (text === 'true' || text === 'false') return text === 'true'
  const quoted = QUOTED.exec(text)?.[1]
  return quoted ?? (WORD.test(text) && !SPECIAL.test(text) ? text : undefined)
}
