import type { JsonValue } from '@weft/api'
import { type Element, type FieldSpec, type FieldType, Message, type Presence, list, map } from '../message.ts'

/**
 * Tables of messages, as `scripts/kind-tables.mjs` writes them. The first line names the package, then come messages:
 *
 *   Deployment typed
 *     metadata 1 meta.ObjectMeta; spec 2 DeploymentSpec; status 3 DeploymentStatus
 *
 * A message is `typed` when it carries apiVersion and kind, and `atomic` when it is merged as a whole. A field has a
 * name, its number on the wire and its type: `*` is set or not, zero included; `[]` is a list, `{}` a map. After its
 * name stands `!` where it is required, `~` where JSON shows it even when it is zero, which `!` does and `+` (required,
 * too) does not; `...` has no name, its fields stand beside ours. What follows the type is the published default (`="TCP"`), how the list merges (`atomic`, `set`,
 * `key=name`), and how a strategic merge patch does (`patch=merge:name`).
 *
 * Nothing is read before the first message of a package is asked for.
 */
export interface Words {
  message(name: string): string
  field(name: string): string
}

export class MessageTables {
  /** By package, lines of the messages that stand there. */
  readonly #texts: ReadonlyMap<string, readonly string[]>
  readonly #words: Words
  readonly #messages: Map<string, Message>
  readonly #read = new Set<string>()

  /** `byHand`: messages that tables refer to and that are described elsewhere. */
  constructor(texts: readonly string[], byHand: readonly Message[], words: Words) {
    const packages = new Map<string, string[]>()
    for (const text of texts) {
      const [name, body] = cut(text.trimStart(), '\n')
      packages.set(name, [...(packages.get(name) ?? []), body])
    }
    this.#texts = packages
    this.#words = words
    this.#messages = new Map(byHand.map((message) => [message.name, message]))
  }

  /** By full name: `io.k8s.api.apps.v1.Deployment`. */
  get(name: string): Message {
    const known = this.#messages.get(name)
    if (known !== undefined) return known
    const home = name.slice(0, name.lastIndexOf('.'))
    if (!this.#read.has(home)) {
      this.#read.add(home)
      for (const text of this.#texts.get(home) ?? []) this.#index(home, text)
    }
    const found = this.#messages.get(name)
    if (found === undefined) throw new TypeError(`no table has ${name}`)
    return found
  }

  #index(home: string, text: string): void {
    for (const block of text.split(/\n(?=\S)/)) {
      const [heading, ...lines] = block.split('\n')
      const [short = '', ...marks] = (heading ?? '').split(' ')
      const name = `${home}.${short}`
      const fields = lines.flatMap((line) => line.trim().split('; ')).filter((field) => field !== '')
      const specs = (): Record<string, FieldSpec> => Object.fromEntries(fields.map((field) => this.#field(home, field)))
      const options = { typed: marks.includes('typed'), ...(marks.includes('atomic') && { mapType: 'atomic' as const }) }
      if (short !== '' && !this.#messages.has(name)) this.#messages.set(name, new Message(name, this.#words.message(short), specs, options))
    }
  }

  #field(home: string, text: string): [string, FieldSpec] {
    const [heading = '', number = '', shape = '', ...marks] = text.split(' ')
    const inline = heading === '...'
    const name = inline ? `...${shape}` : heading.replace(/[!~+]$/, '')
    const presence: Presence = shape.startsWith('*') ? 'pointer' : /[!~]$/.test(heading) ? 'always' : 'value'
    const given = marks.find((mark) => mark.startsWith('='))
    const [patchStrategy, patchMergeKey] = (marks.find((mark) => mark.startsWith('patch='))?.slice(6) ?? '').split(':')
    const type = this.#type(home, shape.replace(/^\*/, ''), marks)
    return [
      name,
      {
        number: Number(number),
        type,
        presence,
        required: /[!+]$/.test(heading),
        description: inline ? '' : this.#words.field(name),
        inline,
        ...(given !== undefined && { default: JSON.parse(given.slice(1)) as JsonValue }),
        ...(!shape.startsWith('[]') && marks.includes('atomic') && { mapType: 'atomic' as const }),
        ...(marks.includes('granular') && { mapType: 'granular' as const }),
        ...(patchStrategy && { patchStrategy }),
        ...(patchMergeKey !== undefined && { patchMergeKey }),
      },
    ]
  }

  #type(home: string, shape: string, marks: readonly string[]): FieldType {
    if (shape.startsWith('{}')) return map(this.#element(home, shape.slice(2)))
    if (!shape.startsWith('[]')) return this.#element(home, shape)
    const key = marks.find((mark) => mark.startsWith('key='))
    const how = key === undefined ? marks.find((mark) => mark === 'atomic' || mark === 'set') : undefined
    return list(this.#element(home, shape.slice(2)), key?.slice(4).split(',') ?? (how as 'atomic' | 'set' | undefined) ?? 'undeclared')
  }

  #element(home: string, name: string): Element {
    if (/^[a-z]\w*$/.test(name)) return name as Element
    const [prefix, foreign] = cut(name, '.')
    if (foreign === '') return this.get(`${home}.${name}`)
    return this.get(`${prefix === 'meta' ? 'io.k8s.apimachinery.pkg.apis.meta.v1' : `io.k8s.api.${prefix}.v1`}.${foreign}`)
  }
}

function cut(text: string, at: string): [string, string] {
  const index = text.indexOf(at)
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + at.length)]
}
