import type { KindDefinition, Schema } from '@weft/api'

interface Version {
  readonly name: string
  readonly schema: { readonly openAPIV3Schema: Schema }
  readonly additionalPrinterColumns?: readonly { readonly name: string; readonly priority?: number }[]
}

/** The page that describes kinds, from nothing but their schemas. */
export function kindsReference(title: string, introduction: string, definitions: readonly KindDefinition[]): string {
  const groups = byGroup(definitions)
  const sections = [...groups].map(([group, kinds]) => `## ${group}\n\n${kinds.map(kindSection).join('\n')}`)
  return `# ${title}\n\n${introduction}\n\n${contents(groups)}\n${sections.join('\n')}`
}

function byGroup(definitions: readonly KindDefinition[]): Map<string, KindDefinition[]> {
  const groups = new Map<string, KindDefinition[]>()
  for (const definition of definitions) groups.set(definition.spec.group, [...(groups.get(definition.spec.group) ?? []), definition])
  return groups
}

function contents(groups: ReadonlyMap<string, readonly KindDefinition[]>): string {
  return [...groups]
    .map(
      ([group, kinds]) =>
        `- **${group}**: ${kinds.map(({ spec: { names } }) => `[${names.kind}](#${names.kind.toLowerCase()})`).join(', ')}\n`,
    )
    .join('')
}

function kindSection({ spec }: KindDefinition): string {
  const { kind, plural, shortNames = [], categories = [] } = spec.names
  const versions = spec.versions as readonly Version[]
  const [version] = versions
  const schema = version?.schema.openAPIV3Schema ?? {}
  const facts = [
    `\`${spec.group}/${versions.map(({ name }) => name).join('`, `')}\``,
    spec.scope === 'Namespaced' ? 'namespaced' : 'cluster scoped',
    `\`${[plural, ...shortNames].join('`, `')}\``,
    ...(categories.length === 0 ? [] : [`listed with \`${categories.join('`, `')}\``]),
  ]
  const columns = (version?.additionalPrinterColumns ?? [])
    .filter(({ priority = 0 }) => priority === 0)
    .map(({ name }) => name.toUpperCase())
  return [
    `### ${kind}\n`,
    `${schema.description ?? ''}\n`,
    `${facts.join(' · ')}\n`,
    `Columns: ${columns.join(', ')}\n`,
    '| field | type | |\n|---|---|---|',
    ...fieldRows(schema, ''),
    ...ruleLines(schema),
    '',
  ].join('\n')
}

function fieldRows(schema: Schema, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const here = `${path}${name}`
    const required = schema.required?.includes(name) === true ? '**required** ' : ''
    if (here === 'status.conditions') return [CONDITIONS]
    return [
      `| \`${here}\` | ${typeOf(field)} | ${required}${cell(field)} |`,
      ...fieldRows(nested(field), `${here}${isList(field) ? '[]' : ''}.`),
    ]
  })
}

const CONDITIONS =
  '| `status.conditions` | list of object | Type, status, reason and message of what is known; see [concepts](../concepts.md#conditions). |'

const isList = ({ type }: Schema): boolean => type === 'array'

function nested(field: Schema): Schema {
  const values = field.additionalProperties
  if (typeof values === 'object') return values.properties === undefined ? {} : { properties: { '*': values } }
  return field.items ?? field
}

function typeOf(field: Schema): string {
  if (field['x-kubernetes-int-or-string'] === true) return 'integer or string'
  if (isList(field)) return `list of ${typeOf(field.items ?? {})}`
  if (typeof field.additionalProperties === 'object') return `map of ${typeOf(field.additionalProperties)}`
  return field.type ?? 'any'
}

function cell({ description = '', enum: choices, default: value, 'x-kubernetes-preserve-unknown-fields': open }: Schema): string {
  const more = [
    ...(choices === undefined ? [] : [`One of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}.`]),
    ...(value === undefined ? [] : [`Default \`${JSON.stringify(value)}\`.`]),
    ...(open === true ? ['Further fields are kept.'] : []),
  ]
  return [description, ...more].join(' ').replaceAll('|', '\\|').replaceAll('\n', ' ').trim()
}

/** Rules anywhere in the schema, in the words that people get when they break one. */
function ruleLines(schema: Schema): string[] {
  const rules = allRules(schema)
  return rules.length === 0 ? [] : ['', 'Rules:', '', ...rules.map((message) => `- ${message}`)]
}

function allRules(schema: Schema): string[] {
  const own = (schema['x-kubernetes-validations'] ?? []).map(({ message, rule }) => message ?? `\`${rule}\``)
  const below = [...Object.values(schema.properties ?? {}), ...(schema.items === undefined ? [] : [schema.items])]
  return [...own, ...below.flatMap(allRules)]
}
