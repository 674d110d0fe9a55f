import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'

const providers = fileURLToPath(new URL('../../providers/', import.meta.url))

interface SchemaShape {
  readonly properties?: Readonly<Record<string, SchemaShape>>
  readonly items?: SchemaShape
}
interface Definition {
  readonly kind: string
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string }
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: SchemaShape } }[]
    readonly class: { readonly group: string; readonly kind: string }
    readonly managed: { readonly group: string; readonly version: string; readonly kind: string }
  }
}

const objects = ['nop', 'postgresql', 'gcp', 'azure', 'aws'].flatMap((name) =>
  readdirSync(`${providers}${name}/package`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(readFileSync(`${providers}${name}/package/${file}`, 'utf8')))
    .map((document) => document.toJS() as Definition),
)
const rows = objects.filter(({ kind }) => kind === 'ResourceBindingDefinition')
const classes = [...new Map(rows.map(({ spec }) => [`${spec.class.kind}.${spec.class.group}`, spec])).entries()]

const definitionOf = (kind: string, wanted: { readonly group: string; readonly kind: string }): Definition | undefined =>
  objects.find((each) => each.kind === kind && each.spec.group === wanted.group && each.spec.names.kind === wanted.kind)

/** The names of all fields, at every depth. */
function fieldsOf(schema: SchemaShape | undefined, path = ''): readonly string[] {
  const own = Object.entries(schema?.properties ?? {}).flatMap(([name, child]) => [`${path}${name}`, ...fieldsOf(child, `${path}${name}.`)])
  return [...own, ...(schema?.items === undefined ? [] : fieldsOf(schema.items, path))]
}

describe('the typed classes of the providers', () => {
  it('are looked at', () => expect(classes.length).toBeGreaterThan(15))

  it.each(classes)('%s knows every parameter of what it makes, so that a misspelt one is told and explain shows them', (_, row) => {
    const made = definitionOf('ManagedResourceDefinition', row.managed)
    const version = made?.spec.versions.find(({ name }) => name === row.managed.version)
    const wanted = fieldsOf(version?.schema.openAPIV3Schema.properties?.['spec']?.properties?.['forProvider'])
    expect(version).toBeDefined()
    for (const { schema } of definitionOf('CustomResourceDefinition', row.class)?.spec.versions ?? []) {
      const template = schema.openAPIV3Schema.properties?.['specTemplate']
      expect(fieldsOf(template?.properties?.['forProvider'])).toEqual(wanted)
    }
  })

  it('demand nothing and add nothing: claims may bring what a class leaves out', () => {
    const text = JSON.stringify(classes.map(([, row]) => definitionOf('CustomResourceDefinition', row.class)))
    expect(text).not.toMatch(/"(required|default)":/)
  })
})
