import { compileJsonPath, type JsonPath } from '@weft/schema'

/**
 * kubectl's templates: text and `{…}` actions. Actions are paths (`{.a.b[0]['c']}`), text (`{"\n"}`), numbers, and loops (`{range .items[*]}…{end}`). What a
 * path is, the server says, too: @weft/schema has them.
 */
export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'path'; readonly path: TemplatePath }
  | { readonly type: 'range'; readonly path: TemplatePath; readonly body: readonly TemplateNode[] }

/** `$` at the beginning means the whole object, within a loop, too; everything else what the loop is at. */
export interface TemplatePath {
  readonly from: 'current' | 'root'
  readonly path: JsonPath
}

/** The template cannot be read, or does not fit. The message quotes what is wrong. */
export class JsonPathError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'JsonPathError'
  }
}

/** A single path as `--sort-by` and `--for=jsonpath` take it: braces and the leading dot may be missing. */
export function parseRelaxedPath(text: string): readonly TemplateNode[] {
  const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text
  const path = /^[.[$@]/.test(inner) ? inner : `.${inner}`
  const nodes = parseTemplate(`{${path}}`)
  if (nodes.length !== 1 || nodes[0]?.type !== 'path') throw new JsonPathError(`${text} is not a path: write it as {.spec.field}`)
  return nodes
}

interface Block {
  readonly nodes: TemplateNode[]
  /** Of a loop. */
  readonly path?: TemplatePath
}

export function parseTemplate(template: string): readonly TemplateNode[] {
  const blocks: Block[] = [{ nodes: [] }]
  const add = (node: TemplateNode): void => void blocks.at(-1)?.nodes.push(node)
  for (let at = 0; at < template.length;) {
    const open = template.indexOf('{', at)
    const text = open < 0 ? template.slice(at) : template.slice(at, open)
    if (text !== '') add({ type: 'text', text })
    if (open < 0) break
    const close = endOf(template, open + 1, (char) => char === '}')
    if (close >= template.length) throw new JsonPathError(`unclosed action: ${template.slice(open)}`)
    const words = wordsOf(template.slice(open + 1, close))
    for (let word = words.shift(); word !== undefined; word = words.shift()) {
      if (word === 'range') blocks.push({ nodes: [], path: pathOf(words.shift() ?? '@') })
      else if (word === 'end') {
        const { nodes, path } = blocks.pop() as Block
        if (path === undefined) throw new JsonPathError('{end} without {range}')
        add({ type: 'range', path, body: nodes })
      } else add(nodeOf(word))
    }
    at = close + 1
  }
  if (blocks.length > 1) throw new JsonPathError('{range} without {end}')
  return blocks[0]?.nodes ?? []
}

/** What stands between spaces in an action; one with nothing in it is the thing itself. */
function wordsOf(action: string): string[] {
  const words: string[] = []
  for (let at = 0; at < action.length;) {
    const char = action.charAt(at)
    if (/\s/.test(char)) {
      at++
      continue
    }
    const end = isQuote(char) ? endOf(action, at + 1, (next) => next === char, { quoted: true }) + 1 : endOf(action, at, endsPath)
    words.push(action.slice(at, end))
    at = end
  }
  return words.length === 0 ? ['@'] : words
}

const isQuote = (char: string): boolean => char === '"' || char === "'"
const endsPath = (char: string, depth: number): boolean => depth === 0 && (/\s/.test(char) || isQuote(char))

/** Where something ends: brackets are counted, and quotes and escapes are skipped. The end of the text when it does not. */
function endOf(text: string, start: number, isEnd: (char: string, depth: number) => boolean, { quoted = false } = {}): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at)
    if (isEnd(char, depth)) return at
    if (char === '\\') at++
    else if (!quoted && isQuote(char)) at = endOf(text, at + 1, (next) => next === char, { quoted: true })
    else if (char === '[') depth++
    else if (char === ']') depth--
  }
  return text.length
}

function nodeOf(word: string): TemplateNode {
  if (isQuote(word.charAt(0)))
    return { type: 'text', text: word.slice(1, -1).replace(/\\(.)/gs, (_, char: string) => ESCAPES[char] ?? char) }
  if (/^[+-]?\d+(\.\d+)?$/.test(word)) return { type: 'text', text: String(Number(word)) }
  return { type: 'path', path: pathOf(word) }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function pathOf(text: string): TemplatePath {
  if (/^[\w-]/.test(text)) throw new JsonPathError(`start a path with a dot: .${text}`)
  const path = compileJsonPath(text)
  if ('error' in path) throw new JsonPathError(`${path.error} in ${text}`)
  return { from: text.startsWith('$') ? 'root' : 'current', path }
}
