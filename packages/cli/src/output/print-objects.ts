import { gvkOf, type KubeObject } from '@weft/api'
import { findValues, formatValue, JsonPathError, renderTemplate } from '../jsonpath/index.ts'
import { CommandFailure } from '../report.ts'
import { formatJson, withoutManagedFields } from './format-object.ts'
import { formatTable, type TableLayout } from './format-table.ts'
import type { CustomColumn, OutputFormat } from './output-format.ts'

export interface PrintOptions {
  readonly showManagedFields?: boolean | undefined
  readonly noHeaders?: boolean | undefined
}

type ObjectFormat = Exclude<OutputFormat, { readonly type: 'table' }>

/** `database.example.org/name`: what other commands take. */
export function formatName(object: {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata?: { readonly name?: string }
}): string {
  const { group, kind } = gvkOf(object)
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${object.metadata?.name ?? ''}`
}

type Formatted = (objects: readonly KubeObject[], options: PrintOptions & { readonly asList: boolean }) => string

/** One object as it is; several (or any number that a list was asked for) as a List. */
export const formatObjects = async (
  objects: readonly KubeObject[],
  format: ObjectFormat,
  options: PrintOptions & { readonly asList: boolean },
): Promise<string> => (await formatterOf(format))(objects, options)

/** What writes YAML is loaded for YAML alone: it is as large as all else that a command loads. */
async function formatterOf(format: ObjectFormat): Promise<Formatted> {
  const formatYaml = format.type === 'yaml' ? (await import('./format-yaml.ts')).formatYaml : formatJson
  return (objects, options) => formatWhole(objects, format, options, formatYaml)
}

function formatWhole(
  objects: readonly KubeObject[],
  format: ObjectFormat,
  options: PrintOptions & { readonly asList: boolean },
  formatYaml: (value: unknown) => string,
): string {
  const shown = options.showManagedFields === true ? objects : objects.map(withoutManagedFields)
  const whole =
    options.asList || shown.length !== 1 ? { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items: shown } : shown[0]
  switch (format.type) {
    case 'json':
      return formatJson(whole)
    case 'yaml':
      return formatYaml(whole)
    case 'name':
      return shown.map((object) => `${formatName(object)}\n`).join('')
    case 'jsonpath':
      return evaluated(() => renderTemplate(format.template, whole))
    case 'custom-columns':
      return formatTable(customRows(shown, format.columns, options))
  }
}

/** Objects one after the other, for a watch: each is printed as it comes. */
export async function objectStream(format: ObjectFormat, options: PrintOptions): Promise<(object: KubeObject) => string> {
  const formatted = await formatterOf(format)
  const layout: TableLayout = { widths: [] }
  let first = true
  return (object) => {
    const isFirst = first
    first = false
    if (format.type === 'custom-columns')
      return formatTable(customRows([object], format.columns, { noHeaders: options.noHeaders === true || !isFirst }), layout)
    const separator = format.type === 'yaml' && !isFirst ? '---\n' : ''
    return separator + formatted([object], { ...options, asList: false })
  }
}

function customRows(objects: readonly KubeObject[], columns: readonly CustomColumn[], { noHeaders }: PrintOptions): string[][] {
  const rows = objects.map((object) =>
    columns.map(({ path }) => {
      const values = evaluated(() => findValues(path, object))
      return values.length === 0 ? '<none>' : values.map((value) => (value === null ? '<none>' : formatValue(value))).join(',')
    }),
  )
  return noHeaders === true ? rows : [columns.map(({ header }) => header), ...rows]
}

function evaluated<T>(evaluate: () => T): T {
  try {
    return evaluate()
  } catch (cause) {
    if (cause instanceof JsonPathError) throw new CommandFailure(`the JSONPath does not fit: ${cause.message}`, { cause })
    throw cause
  }
}
