import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { claimLabels } from '../naming/labels.ts'
import { parseTemplateSource, TEMPLATE_ADAPTERS, type TemplateAdapter } from './adapters.ts'
import { classTemplate } from './class-template.ts'
import { readTemplate } from './parse.ts'
import { render, type RenderOptions } from './render.ts'
import seeds from './seeds.fixture.json' with { type: 'json' }
import type { ComposedTemplate } from './template.ts'

const documents = seeds as unknown as Record<keyof typeof seeds, KubeObject>

const templatesOf = (object: KubeObject): readonly ComposedTemplate[] => {
  const source = parseTemplateSource(object)
  if (!source.ok) throw new Error(source.error.map((e) => `${e.path}: ${e.message}`).join('; '))
  return source.value.templates
}
const withUid = (object: KubeObject, uid = 'claim-uid'): KubeObject => ({ ...object, metadata: { ...object.metadata, uid } })
const rendered = (template: ComposedTemplate | undefined, options: Partial<RenderOptions> & { from: KubeObject }): KubeObject => {
  if (template === undefined) throw new Error('no such template')
  const result = render(template, { name: 'made', ...options })
  if (!result.ok) throw new Error(result.error.message)
  return result.value.object
}

describe('001:160-258 ResourceClass', () => {
  const claim = withUid(documents.claimSql)
  const [template] = templatesOf(documents.resourceClass)

  it('F3, F5: one template for one kind of claim', () => {
    expect(parseTemplateSource(documents.resourceClass)).toMatchObject({
      ok: true,
      value: {
        intent: { apiVersion: 'database.example.org/v1alpha1', kind: 'MySQLInstance' },
        templates: [{ identity: '0', origin: 'spec.resource' }],
      },
    })
  })

  it('F7, F8, B14, B32: renders what the acceptance list asks for', () => {
    const object = rendered(template, {
      from: claim,
      name: 'default-sql-r2l9d',
      labels: claimLabels(claim),
      externalName: 'simple-database',
      secret: { defaultName: 'claim-uid' },
    })
    expect(object).toEqual({
      apiVersion: 'database.gcp.crossplane.io/v1beta1',
      kind: 'CloudSQLInstance',
      metadata: {
        name: 'default-sql-r2l9d',
        labels: {
          region: 'us-west2',
          'resourceclaim.crossplane.io/namespace': 'default',
          'resourceclaim.crossplane.io/name': 'sql',
          'resourceclaim.crossplane.io/uid': 'claim-uid',
        },
        annotations: { 'crossplane.io/external-name': 'simple-database' },
      },
      spec: {
        forProvider: {
          region: 'us-west2',
          databaseVersion: 'MYSQL_5_7',
          dataDiskSizeGb: 10,
          settings: { tier: 'db-n1-standard-1', dataDiskType: 'PD_SSD', dataDiskSizeGb: 10, ipConfiguration: { ipv4Enabled: true } },
        },
        writeConnectionSecretToRef: { namespace: 'crossplane-system', name: 'claim-uid' },
        providerRef: { name: 'example' },
        reclaimPolicy: 'Delete',
      },
    })
  })
})

describe('001:275-386 CompositeResourceClass', () => {
  const claim = withUid(documents.claimPrivateSql)
  const templates = templatesOf(documents.compositeResourceClass)

  it('F5, B12: three templates, with patches spelled `patch`', () => {
    expect(templates.map(({ identity, base, patches }) => [identity, base.kind, patches.length])).toEqual([
      ['0', 'ResourceGroup', 1],
      ['1', 'MySQLServer', 4],
      ['2', 'MySQLServerVirtualNetworkRule', 0],
    ])
  })

  it('F7: `metadata: null` is allowed; B13: the patched path is kept', () => {
    expect(rendered(templates[0], { from: claim })).toMatchObject({
      metadata: { name: 'made' },
      spec: { location: 'West US', forProvider: { location: 'West US' } },
    })
  })

  it('version, storageMB and location are patched', () => {
    expect(rendered(templates[1], { from: claim })).toMatchObject({
      spec: {
        forProvider: { version: '5.7', storageMB: 10240, storageProfile: { storageMB: 20480 }, location: 'West US' },
        writeConnectionSecretToRef: { name: 'claim-uid' },
      },
    })
  })

  it('B28: a member that would write to the secret of the whole writes to one of its own name', () => {
    const object = rendered(templates[1], {
      from: claim,
      name: 'default-sql-3d093',
      secret: { taken: { namespace: 'crossplane-system', name: 'claim-uid' } },
    })
    expect(object).toMatchObject({ spec: { writeConnectionSecretToRef: { namespace: 'crossplane-system', name: 'default-sql-3d093' } } })
  })
})

describe('001:514-643 KubernetesCluster', () => {
  const claim = withUid(documents.claimCluster)
  const templates = templatesOf(documents.gkeClass)

  it('F15: annotations of the base stay on the members', () => {
    expect(templates.slice(1).map((template) => rendered(template, { from: claim }).metadata.annotations)).toEqual([
      { 'crossplane.io/external-name-suffix': '-a' },
      { 'crossplane.io/external-name-suffix': '-b' },
      { 'crossplane.io/external-name-suffix': '-highmem' },
    ])
  })

  it('B4: plural namespace and singular name are one reference; B33: the version is a number', () => {
    const spec = rendered(templates[0], { from: claim, secret: {} })['spec'] as Record<string, unknown>
    expect(spec['writeConnectionSecretToRef']).toEqual({ namespace: 'crossplane-system', name: 'claim-uid' })
    expect(spec['writeConnectionSecretsToRef']).toBeUndefined()
    expect(spec).toMatchObject({ forProvider: { version: 1.16 } })
  })
})

it('001:821-860, F20: opaque templates are refused with a clear message', () => {
  const result = parseTemplateSource(documents.opaque)
  expect(!result.ok && result.error.map((e) => [e.type, e.path])).toEqual([['FieldValueForbidden', 'spec.resources[0].template']])
})

describe('002:351-449 Composition', () => {
  const templates = templatesOf(documents.composition)
  const composite = withUid(documents.mysqlInstance, 'composite-uid')

  it('C1, C7: templates with their connection details', () => {
    expect(templates.map(({ base, connectionDetails }) => [base.kind, connectionDetails.map((d) => d.name)])).toEqual([
      ['ResourceGroup', []],
      ['MySQLServer', ['username', 'password', 'endpoint']],
      ['MySQLServerVirtualNetworkRule', []],
    ])
  })

  it('C5, C6: patches', () => {
    expect(rendered(templates[1], { from: composite })).toMatchObject({
      spec: {
        forProvider: { version: '5.7', storageMB: 10240, location: 'West US' },
        writeConnectionSecretToRef: { namespace: 'crossplane-system', name: 'composite-uid' },
      },
    })
  })
})

describe('Composition, later shape', () => {
  const composition = (spec: object): KubeObject => ({
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: { name: 'x' },
    spec: spec,
  })
  const base = { apiVersion: 'v1', kind: 'ConfigMap' }
  const type = { apiVersion: 'example.org/v1', kind: 'XThing' }

  it('resources are identified by name, and share patch sets', () => {
    const source = parseTemplateSource(
      composition({
        compositeTypeRef: type,
        mode: 'Resources',
        writeConnectionSecretsToNamespace: 'secrets',
        patchSets: [{ name: 'common', patches: [{ fromFieldPath: 'metadata.labels' }] }],
        resources: [
          { name: 'one', base, patches: [{ type: 'PatchSet', patchSetName: 'common' }] },
          { name: 'two', base, readinessChecks: [{ type: 'None' }] },
        ],
      }),
    )
    expect(source).toMatchObject({
      ok: true,
      value: { intent: type, secretNamespace: 'secrets', templates: [{ identity: 'one', patches: [{}] }, { identity: 'two' }] },
    })
  })

  it.each<[string, object, string[]]>([
    [
      'a patch set says where it is wrong',
      { compositeTypeRef: type, patchSets: [{ name: 'common', patches: [{ type: 'Nonsense' }] }], resources: [{ base }] },
      ['spec.patchSets[0].patches[0].type'],
    ],
    ['names are all or nothing', { compositeTypeRef: type, resources: [{ name: 'a', base }, { base }] }, ['spec.resources[1].name']],
    [
      'names are unique',
      {
        compositeTypeRef: type,
        resources: [
          { name: 'a', base },
          { name: 'a', base },
        ],
      },
      ['spec.resources[1].name'],
    ],
    ['pipelines are another adapter', { compositeTypeRef: type, mode: 'Pipeline' }, ['spec.mode']],
    ['a kind to read from is needed', { to: [{ base }] }, ['spec.from']],
    ['at least one resource', { from: type, to: [] }, ['spec.to']],
    [
      'every mistake at once',
      { from: type, to: [{}, { base: { kind: 'X' } }, 5] },
      ['spec.to[0].base', 'spec.to[1].base.apiVersion', 'spec.to[2]'],
    ],
    [
      'C7: unique detail names',
      { from: type, to: [{ base, connectionDetails: [{ fromConnectionSecretKey: 'a' }, { name: 'a', fromConnectionSecretKey: 'b' }] }] },
      ['spec.to[0].connectionDetails[1].name'],
    ],
    [
      'labels are strings',
      { from: type, to: [{ base: { ...base, metadata: { labels: { a: 1 } } } }] },
      ['spec.to[0].base.metadata.labels[a]'],
    ],
    ['B12: not both spellings', { from: type, to: [{ base, patch: [], patches: [] }] }, ['spec.to[0].patch']],
  ])('%s', (_reason, spec, paths) => {
    const result = parseTemplateSource(composition(spec))
    expect(!result.ok && result.error.map((e) => e.path)).toEqual(paths)
  })
})

it('the pipeline takes one more adapter without change', () => {
  const adapter: TemplateAdapter = {
    group: 'more.example.org',
    kind: 'Recipe',
    read: (spec, errors) => {
      const template = readTemplate(spec['thing'], { path: 'spec.thing', errors, identity: 'thing' })
      return template && { templates: [template] }
    },
  }
  const recipe: KubeObject = {
    apiVersion: 'more.example.org/v1',
    kind: 'Recipe',
    metadata: {},
    spec: { thing: { base: { apiVersion: 'v1', kind: 'Secret' } } },
  }
  expect(parseTemplateSource(recipe, [...TEMPLATE_ADAPTERS, adapter])).toMatchObject({
    ok: true,
    value: { templates: [{ identity: 'thing' }] },
  })
  expect(parseTemplateSource(recipe)).toMatchObject({ ok: false, error: [{ type: 'FieldValueNotSupported' }] })
})

describe('classTemplate (003, 000)', () => {
  const sqlServerClass: KubeObject = {
    apiVersion: 'database.azure.crossplane.io/v1beta1',
    kind: 'SQLServerClass',
    metadata: {
      name: 'private-mysql-server',
      labels: { 'resourceclass.crossplane.io/aggregate-to': 'private-mysql-server' },
      annotations: { 'aggregation.crossplane.io/connection-secret-prefix': 'sql-', 'crossplane.io/external-name-suffix': '-x' },
    },
    specTemplate: { forProvider: { version: '5.6' }, writeConnectionSecretsToNamespace: 'crossplane-system', reclaimPolicy: 'Delete' },
  }
  const managed = { apiVersion: 'database.azure.crossplane.io/v1beta1', kind: 'SQLServer' }

  it('A14, A21, B5, B6: identity, key prefix, secret reference, no class labels', () => {
    expect(classTemplate(sqlServerClass, managed)).toEqual({
      identity: 'SQLServerClass.database.azure.crossplane.io/private-mysql-server',
      origin: 'specTemplate',
      base: {
        ...managed,
        metadata: { annotations: { 'aggregation.crossplane.io/connection-secret-prefix': 'sql-' } },
        spec: { forProvider: { version: '5.6' }, reclaimPolicy: 'Delete', writeConnectionSecretToRef: { namespace: 'crossplane-system' } },
      },
      patches: [],
      connectionDetails: [],
      readinessChecks: [],
      keyPrefix: 'sql-',
    })
  })

  it('a class that says nothing of secrets adds nothing of them', () => {
    const plain = { ...sqlServerClass, metadata: { name: 'plain' }, specTemplate: { forProvider: { version: '5.6' } } }
    const template = classTemplate(plain, managed)
    expect(template.base).toStrictEqual({ ...managed, metadata: {}, spec: { forProvider: { version: '5.6' } } })
    expect('keyPrefix' in template).toBe(false)
  })

  it('B8: `spec` is an alias', () => {
    const { specTemplate, ...rest } = sqlServerClass
    expect(classTemplate({ ...rest, spec: specTemplate }, managed).base).toEqual(classTemplate(sqlServerClass, managed).base)
  })
})

describe('render: what a template cannot do', () => {
  const from: KubeObject = {
    apiVersion: 'example.org/v1',
    kind: 'X',
    metadata: { name: 'x' },
    spec: { text: 'evil', number: 5, owners: [{ uid: 'forged' }] },
  }
  const template = (patches: unknown[], metadata: object = {}, more: object = {}): ComposedTemplate => {
    const errors: never[] = []
    const result = readTemplate(
      { base: { apiVersion: 'v1', kind: 'Thing', metadata, ...more }, patches },
      { path: 'spec.to[0]', errors, identity: '0' },
    )
    if (result === undefined) throw new Error(JSON.stringify(errors))
    return result
  }
  const owner = { apiVersion: 'example.org/v1', kind: 'X', name: 'x', uid: 'real', controller: true }

  it('F7: name, namespace, owners and finalizers of the base are ignored', () => {
    const base = { name: 'n', namespace: 'ns', ownerReferences: [{ uid: 'forged' }], finalizers: ['f'], labels: { a: 'b' } }
    expect(rendered(template([], base), { from }).metadata).toEqual({ name: 'made', labels: { a: 'b' } })
    expect(template([], base).requestedNamespace).toBe('ns')
  })

  it('section 9: patches cannot forge owners, names or machinery labels, and what they tried is reported', () => {
    const forging = template([
      { fromFieldPath: 'spec.owners', toFieldPath: 'metadata.ownerReferences' },
      { fromFieldPath: 'spec.text', toFieldPath: 'metadata.name' },
      { fromFieldPath: 'spec.text', toFieldPath: 'metadata.labels[crossplane.io/composite]' },
      { fromFieldPath: 'spec.text', toFieldPath: 'spec.compositeRef.name' },
    ])
    const result = render(forging, {
      from,
      name: 'made',
      namespace: 'default',
      labels: { 'crossplane.io/composite': 'x' },
      ownerReferences: [owner],
      spec: { compositeRef: { name: 'real' } },
    })
    expect(result).toMatchObject({
      ok: true,
      value: {
        object: {
          metadata: { name: 'made', namespace: 'default', labels: { 'crossplane.io/composite': 'x' }, ownerReferences: [owner] },
          spec: { compositeRef: { name: 'real' } },
        },
        dropped: ['metadata.ownerReferences', 'metadata.name'],
      },
    })
  })

  it.each<[string, unknown]>([
    ['change its kind', { fromFieldPath: 'spec.text', toFieldPath: 'kind' }],
    ['replace its metadata by something else', { fromFieldPath: 'spec.text', toFieldPath: 'metadata' }],
    ['write a label that is no string', { fromFieldPath: 'spec.number', toFieldPath: 'metadata.labels.n' }],
    ['write labels that are no map', { fromFieldPath: 'spec.text', toFieldPath: 'metadata.labels' }],
  ])('a patch cannot %s', (_what, patch) => {
    expect(render(template([patch]), { from, name: 'made' })).toMatchObject({ ok: false, error: { code: 'RenderFailed' } })
  })

  it('C43: a patch may set the external name over the one that is passed on', () => {
    const patch = { fromFieldPath: 'spec.text', toFieldPath: 'metadata.annotations[crossplane.io/external-name]' }
    const annotations = { 'crossplane.io/external-name': 'base' }
    expect(rendered(template([], { annotations }), { from, externalName: 'claim' }).metadata.annotations).toEqual({
      'crossplane.io/external-name': 'claim',
    })
    expect(rendered(template([patch], { annotations }), { from, externalName: 'claim' }).metadata.annotations).toEqual({
      'crossplane.io/external-name': 'evil',
    })
  })

  it('what is copied from the annotations of the intent vouches for nothing', () => {
    const vouching = {
      'weft.dev/adopt': 'true',
      'weft.dev/create-again': 'true',
      'weft.dev/external-resource': '{}',
      'crossplane.io/external-create-succeeded': '2026-01-01T00:00:00Z',
      'crossplane.io/external-create-pending': '2026-01-01T00:00:00Z',
    }
    const intent = { ...from, metadata: { ...from.metadata, annotations: { ...vouching, mine: 'yes' } } }
    const all = { fromFieldPath: 'metadata.annotations', toFieldPath: 'metadata.annotations' }
    expect(rendered(template([all]), { from: intent }).metadata.annotations).toEqual({ mine: 'yes' })
    const annotations = { 'weft.dev/adopt': 'true', 'weft.dev/external-resource': '{}' }
    expect(rendered(template([all], { annotations }), { from }).metadata.annotations).toEqual({ 'weft.dev/adopt': 'true' })
    const meant = { fromFieldPath: 'spec.text', toFieldPath: 'metadata.annotations[weft.dev/adopt]' }
    expect(rendered(template([meant]), { from }).metadata.annotations).toEqual({ 'weft.dev/adopt': 'evil' })
  })

  it('the result shares what it did not change with the base, and the base stays as it was', () => {
    const shared = template([{ fromFieldPath: 'spec.text', toFieldPath: 'spec.a' }], {}, { spec: { big: { deep: [1, 2, 3] } } })
    const before = JSON.stringify(shared.base)
    const object = rendered(shared, { from })
    expect((object['spec'] as { big: unknown }).big).toBe((shared.base['spec'] as { big: unknown }).big)
    expect(JSON.stringify(shared.base)).toBe(before)
  })

  it('a failing patch says which template and patch', () => {
    const result = render(template([{ fromFieldPath: 'spec.no', policy: { fromFieldPath: 'Required' } }]), { from, name: 'made' })
    expect(!result.ok && result.error.message.startsWith('spec.to[0].patches[0]: ')).toBe(true)
  })
})
