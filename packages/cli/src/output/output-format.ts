import { readFileSync } from 'node:fs'
import { messageOf } from '@weft/api'
import { JsonPathError, parseRelaxedPath, parseTemplate, type TemplateNode } from '../jsonpath/index.ts'
import { CommandFailure } from '../report.ts'

/** What `-o` asks for. */
export type OutputFormat =
  | { readonly type: 'table'; readonly wide: boolean }
  | { readonly type: 'json' | 'yaml' | 'name' }
  | { readonly type: 'jsonpath'; readonly template: readonly TemplateNode[] }
  | { readonly type: 'custom-columns'; readonly columns: readonly CustomColumn[] }

export interface CustomColumn {
  readonly header: string
  readonly path: readonly TemplateNode[]
}

export const OUTPUT_FORMATS =
  'json, yaml, name, wide, jsonpath=TEMPLATE, jsonpath-file=FILE, custom-columns=NAME:PATH,…, custom-columns-file=FILE'

export function parseOutputFormat(text: string | undefined): OutputFormat {
  const [name = '', ...rest] = (text ?? '').split('=')
  const argument = rest.join('=')
  switch (name) {
    case '':
      return { type: 'table', wide: false }
    case 'wide':
      return { type: 'table', wide: true }
    case 'json':
    case 'yaml':
    case 'name':
      return { type: name }
    case 'jsonpath':
      return { type: 'jsonpath', template: parsed(() => parseTemplate(required(name, argument))) }
    case 'jsonpath-file':
      return { type: 'jsonpath', template: parsed(() => parseTemplate(contentOf(required(name, argument)))) }
    case 'custom-columns':
      return { type: 'custom-columns', columns: columnsOf(required(name, argument)) }
    case 'custom-columns-file':
      return { type: 'custom-columns', columns: columnsOfFile(contentOf(required(name, argument))) }
    default:
      throw new CommandFailure(`-o ${name} is not an output format: use one of ${OUTPUT_FORMATS}`)
  }
}

function required(name: string, argument: string): string {
  if (argument === '') throw new CommandFailure(`-o ${name} needs a value: -o ${name}=…`)
  return argument
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new CommandFailure(`cannot read ${file}: ${messageOf(cause)}`, { cause })
  }
}

function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    if (cause instanceof JsonPathError) throw new CommandFailure(`the JSONPath cannot be read: ${cause.message}`, { cause })
    throw cause
  }
}

/** A path of its own, as `--sort-by` and `--for=jsonpath` take it. */
export const parsePath = (text: string): readonly TemplateNode[] => parsed(() => parseRelaxedPath(text))

function columnsOf(text: string): CustomColumn[] {
  return text.split(/,(?![^[\]]*\])/).map((part) => {
    const colon = part.indexOf(':')
    if (colon < 1 || colon === part.length - 1)
      throw new CommandFailure(`custom column "${part}" is not NAME:PATH, such as NAME:.metadata.name`)
    return { header: part.slice(0, colon), path: parsePath(part.slice(colon + 1)) }
  })
}

/** Two lines: headers, and the paths below them. */
function columnsOfFile(content: string): CustomColumn[] {
  const [headers = [], paths = []] = content.split('\n').map((line) => line.split(/\s+/).filter((word) => word !== ''))
  if (headers.length === 0 || headers.length !== paths.length)
    throw new CommandFailure(
      `a file of custom columns has two lines with as many headers as paths; this one has ${headers.length} and ${paths.length}`,
    )
  return headers.map((header, index) => ({ header, path: parsePath(paths[index] ?? '') }))
}
