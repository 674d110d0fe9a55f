import type { Schema } from '@weft/api'
import { schemaType } from './schema-type.ts'
import { documentation, quote } from './source-text.ts'

/** One version of one kind that types are wanted of. */
export interface TypedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  /** Of the whole object. Absent: nothing is known of its fields. */
  readonly schema?: Schema
  /** Undefined: not known. */
  readonly connectionDetails?: readonly string[] | undefined
}

/** A kind may be called Kind, or Record: no name of ours or of the language may stand in its way. */
const HEADER = `// Made by \`weft types\`: run it again instead of editing.
import type * as weft from '@weft/composition'
`

/**
 * A TypeScript module with an interface and a value for each kind, under the name of the kind. Where two kinds have the same, each gets its group
 * or its version in front; which of them others are does not change as long as the kinds do not. Sorted, so that generating it again shows what changed.
 */
export function typeSource(kinds: readonly TypedKind[]): string {
  const sorted = kinds.toSorted((a, b) => compare(a.kind, b.kind) || compare(a.group, b.group) || compare(a.version, b.version))
  const names = typeNames(sorted)
  return `${HEADER}\n${sorted.map((kind, i) => declaration(kind, names[i] ?? kind.kind)).join('\n')}`
}

function declaration({ group, version, kind, schema, connectionDetails }: TypedKind, name: string): string {
  const apiVersion = group === '' ? version : `${group}/${version}`
  const { apiVersion: _a, kind: _k, metadata: _m, ...own } = schema?.properties ?? {}
  const required = (schema?.required ?? []).filter((field) => Object.hasOwn(own, field))
  // The object is open only where its fields are: a kind of which every field is known but one would be no help to anybody.
  const body = schemaType({ type: 'object', properties: own, required }, '').slice(1, -1).replace(/^\n/, '')
  const details = connectionDetails?.map((detail) => quote(detail))
  const detailType = details === undefined ? 'string' : details.length === 0 ? 'never' : details.toSorted(compare).join(' | ')
  return `${documentation(schema?.description, '')}export interface ${name} {
  readonly apiVersion: ${quote(apiVersion)}
  readonly kind: ${quote(kind)}
  readonly metadata: weft.Metadata
${body}}
export const ${name}: weft.Kind<${name}, ${detailType}> = {
  apiVersion: ${quote(apiVersion)},
  kind: ${quote(kind)},
${details === undefined ? '' : `  connectionDetails: [${details.join(', ')}],\n`}}
`
}

/** The kind; with its group where another group has one of that name, with its version where another version is there too. */
function typeNames(kinds: readonly TypedKind[]): readonly string[] {
  const groups = new Map<string, Set<string>>()
  const versions = new Map<string, number>()
  for (const { group, kind } of kinds) {
    groups.set(kind, (groups.get(kind) ?? new Set()).add(group))
    versions.set(`${group}/${kind}`, (versions.get(`${group}/${kind}`) ?? 0) + 1)
  }
  return kinds.map(({ group, version, kind }) => {
    const byGroup = (groups.get(kind)?.size ?? 0) > 1 ? camel(group === '' ? 'core' : group) : ''
    const byVersion = (versions.get(`${group}/${kind}`) ?? 0) > 1 ? camel(version) : ''
    return `${byGroup}${camel(kind)}${byVersion}`
  })
}

const camel = (text: string): string =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
    .replace(/^(?=\d)/, '_')

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
