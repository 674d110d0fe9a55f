import { isGone } from '@weft/api'
import { fieldsHolder, type Resolve, type Schema, settle, typeName } from './schema.ts'

export interface Explained {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly path: readonly string[]
  readonly schema: Schema
  readonly resolve: Resolve
}

const WIDTH = 76

/** In kubectl's layout, with defaults, choices and bounds where a schema has them. */
export function formatExplanation({ group, version, kind, path, schema, resolve }: Explained, recursive: boolean): string {
  const settled = settle(schema, resolve)
  const holder = fieldsHolder(schema, resolve)
  const field = path.at(-1)
  const description = [settled.description, holder === settled ? undefined : holder.description]
    .filter((text) => text !== undefined && text !== '')
    .join('\n')
  return [
    group === '' ? '' : `GROUP:      ${group}\n`,
    `KIND:       ${kind}\n`,
    `VERSION:    ${version}\n\n`,
    field === undefined ? '' : `FIELD: ${field} <${typeName(schema, resolve)}>\n\n`,
    `DESCRIPTION:\n${wrapped(description === '' ? '<empty>' : description, '    ')}`,
    rules(settled, '    '),
    holder.properties === undefined
      ? ''
      : `\nFIELDS:\n${recursive ? fieldTree(schema, resolve, '  ', new Set()) : fieldList(holder, resolve)}`,
  ].join('')
}

const sorted = (schema: Schema): [string, Schema][] => Object.entries(schema.properties ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))

function fieldList(holder: Schema, resolve: Resolve): string {
  return sorted(holder)
    .map(([name, member]) => {
      const settled = settle(member, resolve)
      return `${heading(name, member, holder, resolve, '  ')}${wrapped(settled.description ?? '<no description>', '    ')}${rules(settled, '    ')}\n`
    })
    .join('')
}

/** Schemas may contain themselves: each is opened once on the way down. */
function fieldTree(schema: Schema, resolve: Resolve, indent: string, above: ReadonlySet<Schema>): string {
  const holder = fieldsHolder(schema, resolve)
  const key = holder.properties as Schema | undefined
  if (key === undefined || above.has(key)) return ''
  const inside = new Set(above).add(key)
  return sorted(holder)
    .map(([name, member]) => heading(name, member, holder, resolve, indent) + fieldTree(member, resolve, `${indent}  `, inside))
    .join('')
}

const heading = (name: string, member: Schema, holder: Schema, resolve: Resolve, indent: string): string =>
  `${indent}${name}\t<${typeName(member, resolve)}>${holder.required?.includes(name) === true ? ' -required-' : ''}${isGone(settle(member, resolve)) ? ' -gone-' : ''}\n`

const RULES: readonly (readonly [keyword: string, words: string])[] = [
  ['default', 'default'],
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'shortest'],
  ['maxLength', 'longest'],
  ['pattern', 'matches'],
]

function rules(schema: Schema, indent: string): string {
  const lines = RULES.filter(([keyword]) => schema[keyword] !== undefined).map(
    ([keyword, words]) => `${indent}${words}: ${JSON.stringify(schema[keyword])}\n`,
  )
  if (schema.enum !== undefined) lines.unshift(`${indent}one of: ${schema.enum.map(String).join(', ')}\n`)
  return lines.join('')
}

export function wrapped(text: string, indent: string): string {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => wrapLine(line))
    .map((line) => `${indent}${line}`.trimEnd())
    .join('\n')
    .concat('\n')
}

function wrapLine(line: string): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > WIDTH) {
      lines.push(current)
      current = word
    } else current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, current]
}
