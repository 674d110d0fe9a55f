import { getOwn, gvkOf, type GroupVersionKind, type KubeObject, type Schema } from '@weft/api'
import { parseTemplateSource } from '@weft/composition'
import { type BindingRow, type FieldMapping, isProblem, readRow } from '../bindings-table/row.ts'
import { BINDING_DEFINITION, COMPOSITE_CLASS, RESOURCE_CLASS, sameKind } from '../bindings-table/well-known.ts'
import { didYouMean, type Misspelt, misspeltFields } from './misspelt-fields.ts'
import { misspeltTemplate } from './misspelt-template.ts'

/** What is known of kinds when an object is applied. */
export interface KnownFields {
  schema(kind: GroupVersionKind): Schema | undefined
  objects(kind: GroupVersionKind): readonly KubeObject[]
}

/**
 * Fields that were probably meant otherwise, where schemas must stay open: claims hand to their class whatever they hold, typed classes to what they make,
 * and what nothing reads would go unnoticed. Warnings, each a sentence: the author may mean what they wrote.
 */
export function checkSpelling(object: KubeObject, known: KnownFields): readonly string[] {
  const kind = gvkOf(object)
  const own = known.schema(kind)
  if (own === undefined) return []
  const rows = rowsOf(known)
  const asClaim = rows.filter(({ claim }) => sameKind(claim, kind))
  const asClass = rows.find((row) => sameKind(row.class, kind))
  const found = [
    ...misspeltFields(object, asClaim.length === 0 ? own : withClaimFields(own, asClaim)),
    ...(asClass === undefined ? [] : misspeltIn(object, known.schema(asClass.managed))),
    ...misspeltInTemplates(object, known, rows),
  ]
  return [...new Map(found.map((each) => [each.path, each])).values()].map((each) => `${each.path} ${didYouMean(each)}`)
}

/** Of a flexible class: what it makes, and what it takes from claims. What Compositions say is checked with them. */
function misspeltInTemplates(object: KubeObject, { schema }: KnownFields, rows: readonly BindingRow[]): readonly Misspelt[] {
  if (![RESOURCE_CLASS, COMPOSITE_CLASS].some((each) => sameKind(each, gvkOf(object)))) return []
  const source = parseTemplateSource(object)
  if (!source.ok) return []
  const { intent, templates } = source.value
  const claim = intent && gvkOf(intent)
  const asked = claim && schema(claim)
  const composite =
    asked &&
    withClaimFields(
      asked,
      rows.filter((row) => sameKind(row.claim, claim)),
    )
  return templates.flatMap((template) => misspeltTemplate(template, { composite, composed: schema(gvkOf(template.base)) }))
}

/** Objects are immutable, and every write asks: the rows are those of before unless one came, went or changed. */
let known: { readonly objects: readonly KubeObject[]; readonly rows: readonly BindingRow[] } = { objects: [], rows: [] }

function rowsOf({ objects: find }: KnownFields): readonly BindingRow[] {
  const objects = find(BINDING_DEFINITION)
  if (objects.length === known.objects.length && objects.every((object, i) => object === known.objects[i])) return known.rows
  const rows = objects.flatMap((object) => {
    const row = readRow(object)
    return isProblem(row) ? [] : [row]
  })
  known = { objects, rows }
  return rows
}

/** What rows of the binding table read of a claim's spec is known, too. */
function withClaimFields(schema: Schema, rows: readonly BindingRow[]): Schema {
  const spec = schema.properties?.['spec']
  if (spec === undefined) return schema
  const read = rows.flatMap(({ fieldMappings }) => fieldMappings.flatMap(firstFieldOf))
  const properties = { ...Object.fromEntries(read.map((name) => [name, {}])), ...spec.properties }
  return { ...schema, properties: { ...schema.properties, spec: { ...spec, properties } } }
}

function firstFieldOf({ input }: FieldMapping): readonly string[] {
  return (input.kind === 'field' ? [input.path] : input.variables).flatMap(
    ({ text }) => /^spec\.([A-Za-z0-9_]+)/.exec(text)?.slice(1) ?? [],
  )
}

/** A typed class holds the spec of what it makes; some put the parameters beside the other fields, some under forProvider. */
function misspeltIn(object: KubeObject, managed: Schema | undefined): readonly Misspelt[] {
  const spec = managed?.properties?.['spec']
  if (spec === undefined) return []
  const both: Schema = { ...spec, properties: { ...spec.properties?.['forProvider']?.properties, ...spec.properties } }
  return ['specTemplate', 'spec'].flatMap((path) => misspeltFields(getOwn(object, path), both, { path, everywhere: true }))
}
