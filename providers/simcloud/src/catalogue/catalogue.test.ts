import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseDocuments } from './data-file.ts'
import { DataFileError } from './data-node.ts'
import { catalogueOf, loadKinds } from './kinds.ts'
import { loadProviderPackage } from './provider-package.ts'
import { expand, hasStrayBrace, variablesOf } from './template.ts'

const failureOf = (action: () => unknown): { path: string; why: string } => {
  try {
    action()
  } catch (error) {
    if (error instanceof DataFileError) return { path: error.path, why: error.why }
    throw error
  }
  throw new Error('it did not fail')
}

const kindText = (spec: string, name = 'things.gcp'): string =>
  `apiVersion: simcloud.weft.dev/v1alpha1\nkind: SimulatedKind\nmetadata: {name: ${name}}\nspec:\n  cloud: gcp\n  kind: ${name.split('.')[0]}\n  managed: [{group: g, kind: ${name.split('.')[0]}}]\n  delay: fast\n${spec}`

const load = (...texts: string[]) => catalogueOf(texts.flatMap((text, index) => parseDocuments(text, `f${index}.yaml`)))

describe('a simulated kind', () => {
  it('has defaults for what is not said', () => {
    const { kinds } = load(kindText('  fields: [{path: a.b, type: string}]'))
    expect(kinds[0]).toMatchObject({
      unique: 'Account',
      maxNameLength: 128,
      quota: 1000,
      fields: [{ path: 'a.b', type: 'string', required: false, immutable: false }],
      parents: [],
      connection: [],
    })
  })

  it.each([
    ['a misspelt key', kindText('  fild: []'), 'spec.fild'],
    ['a wrong type', kindText('  fields: [{path: a, type: strin}]'), 'spec.fields[0].type'],
    ['a bad path', kindText('  fields: [{path: a..b, type: string}]'), 'spec.fields[0].path'],
    ['a field twice', kindText('  fields: [{path: a, type: string}, {path: a, type: any}]'), 'spec.fields[1]'],
    [
      'a default on a required field',
      kindText('  fields: [{path: a, type: string, required: true, default: x}]'),
      'spec.fields[0].default',
    ],
    ['an unknown variable', kindText("  outputs: [{name: a, template: '{nme}'}]"), 'spec.outputs[0].template'],
    [
      'a detail used before it is made',
      kindText("  outputs: [{name: a, template: '{outputs.b}'}, {name: b, template: x}]"),
      'spec.outputs[0].template',
    ],
    ['a connection detail used by an output', kindText("  outputs: [{name: a, template: '{connection.b}'}]"), 'spec.outputs[0].template'],
    ['a stray brace', kindText("  outputs: [{name: a, template: '{name'}]"), 'spec.outputs[0].template'],
    ['two ways to make a value', kindText('  connection: [{name: a, template: x, generate: password}]'), 'spec.connection[0]'],
    ['a detail twice', kindText('  connection: [{name: a, template: x}, {name: a, template: y}]'), 'spec.connection[1].name'],
    ['an unknown generator', kindText('  connection: [{name: a, generate: magic}]'), 'spec.connection[0].generate'],
    ['an unknown parent', kindText('  parents: [{field: a, kinds: [nothings]}]'), 'spec.parents[0].kinds[0]'],
    ['a parent without kinds', kindText('  parents: [{field: a, kinds: []}]'), 'spec.parents[0].kinds'],
    ['a name that does not fit', kindText('').replace('things.gcp', 'other.gcp'), 'metadata.name'],
    ['a negative quota', kindText('  quota: -1'), 'spec.quota'],
    ['no spec', 'apiVersion: simcloud.weft.dev/v1alpha1\nkind: SimulatedKind\nmetadata: {name: a.b}', 'spec'],
    ['another format', 'apiVersion: v2\nkind: SimulatedKind', 'apiVersion'],
    ['bad YAML', 'a: [', 'line 1'],
    ['no object', '- a', 'line 1'],
  ])('is refused with its place for %s', (_, text, path) => {
    expect(failureOf(() => load(text)).path).toBe(path)
  })

  it('cannot be described twice, nor a managed kind have two', () => {
    expect(failureOf(() => load(kindText(''), kindText(''))).path).toBe('spec.kind')
    const other = kindText('', 'others.gcp').replace('kind: others}]', 'kind: things}]')
    expect(failureOf(() => load(kindText(''), other)).path).toBe('spec.managed[0]')
  })
})

describe('templates', () => {
  it('replace variables, encode and keep doubled braces', () => {
    const values: Record<string, string> = { name: 'n', 'parameters.a': 'x' }
    expect(expand('{name}-{parameters.a}-{missing}-{{name}}-{name|base64}', (name) => values[name])).toBe('n-x--{name}-bg==')
    expect(variablesOf('{a} {{b}} {c|base64}')).toEqual(['a', 'c'])
    expect(hasStrayBrace('{a|upper}')).toBe(true)
    expect(hasStrayBrace('{{a}} {b}')).toBe(false)
  })
})

describe('a provider package', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'package-'))
    mkdirSync(join(directory, 'package'))
    write('crossplane.yaml', 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: provider-x}\nspec: {}')
  })
  afterEach(() => rmSync(directory, { recursive: true }))
  const write = (file: string, text: string): void => writeFileSync(join(directory, 'package', file), text)
  const definition = (kind: string, more = '') =>
    `spec:\n  group: x.org\n  names: {kind: ${kind}, plural: ${kind.toLowerCase()}s, singular: ${kind.toLowerCase()}, listKind: ${kind}List}\n  scope: Cluster\n  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]\n${more}`
  const mrd = (kind: string, more?: string) =>
    `apiVersion: apiextensions.crossplane.io/v1alpha1\nkind: ManagedResourceDefinition\nmetadata: {name: ${kind.toLowerCase()}s.x.org}\n${definition(kind, more)}`
  const crd = (kind: string) =>
    `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${kind.toLowerCase()}s.x.org}\n${definition(kind)}`
  const binding = (version = 'v1') =>
    `apiVersion: weft.dev/v1alpha1\nkind: ResourceBindingDefinition\nmetadata: {name: c.tclass.x.org}\nspec:\n  claim: {group: c.org, kind: C}\n  class: {group: x.org, kind: TClass}\n  managed: {group: x.org, version: ${version}, kind: T}\n  type: Direct\n`
  const reference = `apiVersion: weft.dev/v1alpha1\nkind: ResourceReferenceDefinition\nmetadata: {name: f.t.x.org}\nspec: {field: f, from: {group: x.org, kind: T}, targets: [{group: x.org, kind: T}]}`

  it('is read', () => {
    write('all.yaml', [mrd('T', '  connectionDetails: [{name: a, description: b}]\n'), crd('TClass'), binding(), reference].join('\n---\n'))
    const loaded = loadProviderPackage(directory)
    expect(loaded).toMatchObject({
      name: 'provider-x',
      capabilities: [],
      managed: [{ kind: 'T', storageVersion: 'v1', connectionDetails: [{ name: 'a', description: 'b' }] }],
      custom: [{ kind: 'TClass' }],
      bindings: [{ name: 'c.tclass.x.org', type: 'Direct', fieldMappings: [] }],
      references: [{ field: 'f' }],
    })
    expect(loaded.objects).toHaveLength(5)
  })

  it.each([
    ['a class that is not defined', () => [mrd('T'), binding()], 'spec.class'],
    ['a managed kind that is not defined', () => [crd('TClass'), binding()], 'spec.managed'],
    ['a version that is not served', () => [mrd('T'), crd('TClass'), binding('v9')], 'spec.managed.version'],
    ['a reference from an unknown kind', () => [reference], 'spec.from'],
    ['a definition twice', () => [mrd('T'), mrd('T')], 'metadata.name'],
    [
      'two storage versions',
      () => [
        mrd('T').replace('versions: [', 'versions: [{name: v0, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}},'),
      ],
      'spec.versions',
    ],
    ['a name that is not plural.group', () => [mrd('T').replace('name: ts.x.org', 'name: t.x.org')], 'metadata.name'],
    ['a version without a schema', () => [mrd('T').replace(', schema: {openAPIV3Schema: {type: object}}', '')], 'spec.versions[0].schema'],
    ['a binding with another name', () => [mrd('T'), crd('TClass'), binding().replace('c.tclass', 'd.tclass')], 'metadata.name'],
    ['a kind that does not belong there', () => ['apiVersion: v1\nkind: Secret\nmetadata: {name: a}'], 'kind'],
    ['a second Provider', () => ['apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: y}'], ''],
  ])('is refused with the place for %s', (_, documents, path) => {
    write('x.yaml', documents().join('\n---\n'))
    expect(failureOf(() => loadProviderPackage(directory)).path).toBe(path)
  })

  it('must be there', () => {
    expect(failureOf(() => loadProviderPackage(join(directory, 'nowhere'))).why).toContain('cannot be read')
    expect(failureOf(() => loadKinds([directory])).why).toContain('cannot be read')
  })
})
