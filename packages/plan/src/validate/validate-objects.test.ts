import type { KubeObject } from '@weft/api'
import { compositeDefinition } from '@weft/testing'
import { describe, expect, test } from 'vitest'
import { openBundledPackages } from '../known/bundled-packages.ts'
import { validateObjects } from './validate-objects.ts'

const weft = 'apiextensions.crossplane.io/v1alpha1'
const object = (apiVersion: string, kind: string, name: string, more: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
})
const definition = (schema: object, more: object = {}): KubeObject =>
  object(weft, 'InfrastructureDefinition', 'boxes.example.org', {
    spec: {
      crdSpecTemplate: {
        group: 'example.org',
        version: 'v1',
        names: { kind: 'Box', plural: 'boxes' },
        validation: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', ...schema } } } },
      },
      ...more,
    },
  })
const BOXES = definition({
  properties: { size: { type: 'integer', minimum: 1 }, label: { type: 'string' } },
  'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size < 100', message: 'too large' }],
})
const box = (spec: object): KubeObject => object('example.org/v1', 'Box', 'b', { spec })
const nop = { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } }
const composition = (to: object): KubeObject =>
  object(weft, 'Composition', 'c', { spec: { from: { apiVersion: 'example.org/v1', kind: 'Box' }, to: [to] } })

const check = async (...objects: readonly KubeObject[]): Promise<readonly string[]> =>
  (await validateObjects(objects, { packages: openBundledPackages() })).map(
    ({ severity, index, path, message }) => `${index} ${severity} ${path}: ${message}`,
  )

describe('validating files', () => {
  test('what is right has no problems', async () => {
    const patches = [{ fromFieldPath: 'spec.size', toFieldPath: 'spec.forProvider.fields.size' }]
    expect(await check(BOXES, composition({ base: nop, patches }), box({ size: 3 }), object('v1', 'ConfigMap', 'm', { data: {} }))).toEqual(
      [],
    )
  })

  test.each<[string, readonly KubeObject[], readonly RegExp[]]>([
    ['a value of the wrong type', [BOXES, box({ size: 'many' })], [/^1 error spec\.size: .*integer/]],
    ['a field that there is not', [BOXES, box({ sise: 1 })], [/^1 error spec\.sise: there is no such field in Box/]],
    ['a keyword', [BOXES, box({ size: 0 })], [/^1 error spec\.size: /]],
    ['a rule in CEL', [BOXES, box({ size: 200 })], [/^1 error spec: .*too large/]],
    [
      'a rule that does not compile',
      [definition({ properties: { size: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule: "self.size > 'a'" }] })],
      [/^0 error spec\.crdSpecTemplate\.validation.*compilation failed/],
    ],
    [
      'fields of a claim that nothing reads',
      [object('storage.crossplane.io/v1alpha1', 'Bucket', 'b', { spec: { clasSelector: { matchLabels: {} }, predefinedALC: 'x' } })],
      [
        /^0 warning : spec\.clasSelector .*did you mean classSelector\?/,
        /^0 warning : spec\.predefinedALC .*did you mean predefinedACL\?/,
        /./,
      ],
    ],
    ['the metadata of a package', [object('meta.pkg.crossplane.io/v1', 'Configuration', 'platform')], []],
    ['an unknown kind', [object('nowhere.org/v1', 'Nothing', 'n')], [/^0 error kind: nothing defines Nothing\.nowhere\.org/]],
    ['an unknown version', [BOXES, object('example.org/v2', 'Box', 'b')], [/^1 error apiVersion: .*it has v1/]],
    [
      'a namespace where there is none',
      [BOXES, { ...box({}), metadata: { name: 'b', namespace: 'x' } }],
      [/^1 error metadata\.namespace: /],
    ],
    ['a bad name', [BOXES, { ...box({}), metadata: { name: 'Bad_Name' } }], [/^1 error metadata\.name: /]],
    ['a label that is no text', [BOXES, { ...box({}), metadata: { name: 'b', labels: { a: 1 as never } } }], [/^1 error metadata\.labels/]],
    ['C8: a definition with another name', [{ ...BOXES, metadata: { name: 'other' } }], [/^0 error metadata\.name: .*boxes\.example\.org/]],
    [
      'C16: a contract that is not kept',
      [definition({ properties: {} }, { connectionDetails: ['password'] }), composition({ base: nop })],
      [/^1 error .*password/],
    ],
    [
      'a patch from a field that there is not',
      [BOXES, composition({ base: nop, patches: [{ fromFieldPath: 'spec.nothing', toFieldPath: 'spec.forProvider.fields.x' }] })],
      [/^1 error spec\.to\[0\]\.patches\[0\]\.fromFieldPath: .*spec\.nothing/],
    ],
    [
      'a patch of the wrong type',
      [BOXES, composition({ base: nop, patches: [{ fromFieldPath: 'spec.size', toFieldPath: 'spec.deletionPolicy' }] })],
      [/^1 error spec\.to\[0\]\.patches\[0\]\.toFieldPath: .*integer/],
    ],
    [
      'C12: a member out of scope',
      [BOXES, composition({ base: { apiVersion: 'v1', kind: 'ConfigMap' } })],
      [/^1 error spec\.to\[0\]\.base: .*namespaced/],
    ],
    [
      'F20: an opaque template',
      [
        object('infrastructure.crossplane.io/v1alpha1', 'ResourceClass', 'r', {
          spec: { claim: { apiVersion: 'a.org/v1', kind: 'C' }, resource: { template: 'x' } },
        }),
      ],
      [/^0 error spec\.resource/],
    ],
    [
      'C26: a publication with another name',
      [
        BOXES,
        object(weft, 'InfrastructurePublication', 'other', { spec: { infrastructureDefinitionReference: { name: 'boxes.example.org' } } }),
      ],
      [/^1 error metadata\.name: must be boxes\.example\.org/],
    ],
    [
      'a fault of a base, which is not that of whoever asks for a composite',
      [BOXES, composition({ base: { ...nop, spec: { forProvider: {}, deletionPolicy: 'Never' } } }), box({})],
      [/^1 error spec\.to\[0\]\.base\.spec\.deletionPolicy: /],
    ],
    ['one object twice', [BOXES, box({}), box({})], [/^2 error metadata\.name: .*twice/]],
    [
      'what would be made and refused',
      [
        BOXES,
        composition({
          base: { ...nop, spec: { forProvider: {}, deletionPolicy: 'Delete' } },
          patches: [{ fromFieldPath: 'spec.label', toFieldPath: 'spec.deletionPolicy' }],
        }),
        box({ label: 'Never' }),
      ],
      [/^2 error : would make a NopResource that is refused: spec\.deletionPolicy/],
    ],
  ])('%s', async (_reason, objects, expected) => {
    const found = await check(...objects)
    for (const pattern of expected) expect(found).toEqual(expect.arrayContaining([expect.stringMatching(pattern)]))
    expect(found.every((text) => !text.includes('undefined'))).toBe(true)
  })

  test('whoever asks for a composite is not blamed for its Composition', async () => {
    const wrong = composition({ base: { ...nop, spec: { forProvider: {}, deletionPolicy: 'Never' } } })
    const found = await check(BOXES, wrong, box({}))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^1 error spec\.to\[0\]\.base/)
  })

  test('nonsense is told, not thrown', async () => {
    const nonsense: readonly KubeObject[] = [
      object(weft, 'InfrastructureDefinition', 'x', { spec: { crdSpecTemplate: 7 } }),
      object(weft, 'Composition', 'x', { spec: 'text' }),
      object(weft, 'ManagedResourceDefinition', 'x', { spec: { names: [], versions: 'none' } }),
      object(weft, 'InfrastructurePublication', 'x', {}),
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'x', { spec: null }),
      object('aggregation.crossplane.io/v1alpha1', 'AggregateResourceClass', 'x', { aggregationRule: [] }),
    ]
    for (const each of nonsense) expect(await check(each), each.kind).not.toEqual([])
  })
})

describe('CompositeResourceDefinitions', () => {
  const xrd = (version: 'v1' | 'v2', more: object = {}, schema: object = {}): KubeObject =>
    compositeDefinition({
      api: version,
      group: 'shop.example.org',
      kind: 'Stall',
      spec: { required: ['size'], properties: { size: { type: 'integer', minimum: 1 } }, ...schema },
      more: { ...(version === 'v2' && { scope: 'Namespaced' }), ...more },
    })
  const claimed = xrd('v1', { claimNames: { kind: 'Booth', plural: 'booths' } })
  const stall = (kind: string, spec: object, namespace?: string): KubeObject => ({
    ...object('shop.example.org/v1', kind, 's', { spec }),
    metadata: { name: 's', ...(namespace !== undefined && { namespace }) },
  })
  const pipeline = (fromFieldPath: string): KubeObject =>
    object('apiextensions.crossplane.io/v1', 'Composition', 'stall', {
      spec: {
        compositeTypeRef: { apiVersion: 'shop.example.org/v1', kind: 'Stall' },
        mode: 'Pipeline',
        pipeline: [
          {
            step: 'patch',
            functionRef: { name: 'patch' },
            input: {
              apiVersion: 'pt.fn.crossplane.io/v1beta1',
              kind: 'Resources',
              resources: [{ name: 'one', base: nop, patches: [{ fromFieldPath, toFieldPath: 'spec.forProvider.fields.size' }] }],
            },
          },
        ],
      },
    })

  test('K127 what is right has no problems, whatever its scope', async () => {
    expect(await check(xrd('v2'), stall('Stall', { size: 1, crossplane: {} }, 'market'))).toEqual([])
    expect(await check(xrd('v2', { scope: 'Cluster' }), pipeline('spec.size'), stall('Stall', { size: 1 }))).toEqual([])
    const machinery = { compositionRef: { name: 'c' }, writeConnectionSecretToRef: { name: 's' } }
    expect(await check(claimed, stall('Booth', { size: 1, ...machinery }, 'market'), stall('Stall', { size: 1 }))).toEqual([])
  })

  test.each<[string, readonly KubeObject[], RegExp]>([
    ['a value that is too small', [xrd('v2'), stall('Stall', { size: 0 }, 'market')], /^1 error spec\.size: /],
    [
      'a field that there is not',
      [xrd('v2'), stall('Stall', { size: 1, sise: 2 }, 'market')],
      /^1 error spec\.sise: there is no such field in Stall/,
    ],
    [
      'machinery in the wrong place',
      [xrd('v2'), stall('Stall', { size: 1, compositionRef: {} }, 'm')],
      /^1 error spec\.compositionRef: there is no such/,
    ],
    [
      'a namespace that it cannot have',
      [xrd('v2', { scope: 'Cluster' }), stall('Stall', { size: 1 }, 'market')],
      /^1 error metadata\.namespace: /,
    ],
    ['a claim without what is required', [claimed, stall('Booth', {}, 'market')], /^1 error spec\.size: /],
    ['a schema that is none', [xrd('v2', {}, { properties: { size: { type: 'number!' } } })], /^0 error spec\.versions\[0\]\.schema.*size/],
    [
      'a patch from a field that there is not',
      [xrd('v2', { scope: 'Cluster' }), pipeline('spec.sise')],
      /^1 warning spec\.pipeline\[0\].*sise/,
    ],
    [
      'a cluster-scoped kind in what is composed for a namespace',
      [xrd('v2'), pipeline('spec.size')],
      /^1 warning spec\.pipeline\[0\].*base: Forbidden: NopResource is cluster-scoped/,
    ],
  ])('K127 %s', async (_, objects, expected) => {
    expect(await check(...objects)).toEqual([expect.stringMatching(expected)])
  })

  describe('the package of a provider', () => {
    const meta = object('meta.pkg.crossplane.io/v1', 'Provider', 'provider-parts', { spec: {} })
    const parts = (conversion: object): KubeObject =>
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'parts.example.org', {
        spec: {
          group: 'example.org',
          scope: 'Cluster',
          names: { kind: 'Part', plural: 'parts', singular: 'part', listKind: 'PartList' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
          conversion,
        },
      })
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: { service: { path: '/convert' } } }
    const asks = (group: string): KubeObject =>
      object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'parts', {
        webhooks: [{ name: 'parts.example.org', rules: [{ apiGroups: [group], resources: ['parts'] }], clientConfig: {} }],
      })

    test('K171 does not say where its webhooks and conversions are asked: whoever installs it does', async () => {
      expect(await check(meta, parts({ strategy: 'Webhook', webhook }))).toEqual([])
      expect(await check(meta, parts({ strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } }))).toEqual([])
      expect(await check(meta, parts({ strategy: 'None' }), asks('example.org'))).toEqual([])
    })

    test('is held against its kinds all the same', async () => {
      expect(await check(meta, parts({ strategy: 'Webhook', webhook: { ...webhook, conversionReviewVersions: [] } }))).toMatchObject([
        expect.stringMatching(/^1 error spec\.conversion\.conversionReviewVersions/),
      ])
      expect(await check(meta, parts({ strategy: 'None' }), asks('other.example.org'))).toMatchObject([
        expect.stringMatching(/^0 error : .*which the package does not define/),
      ])
    })

    test('where no package is, a definition has to say it', async () => {
      expect(await check(parts({ strategy: 'Webhook', webhook }))).toHaveLength(2)
    })
  })
})
