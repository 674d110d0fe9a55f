import { isJsonObject, type JsonObject, type KubeObject } from '@weft/api'
import { decodeCrd, defaultCrd, validateCrdSpec } from '@weft/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anySchema } from '../schema/arbitrary.fixture.ts'
import type { Attribute, Block, NestedBlock, Schema } from '../schema/schema.ts'
import { BOOL, DYNAMIC, listOf, mapOf, NUMBER, setOf, STRING, type Type } from '../value/type.ts'
import { parseOverlay, overlayOf } from './overlay.ts'
import { providerConfigKind } from './provider-config.ts'
import { renderKind } from './render-kind.ts'
import { shapeOf } from './shape-of.ts'

const GROUP = 'aws.tf.weft.dev'
const NAMES = { kind: 'Vpc', plural: 'vpcs', singular: 'vpc', listKind: 'VpcList' }
const TARGETS = new Map(['vpc', 'subnet', 'role', 'bucket'].map((name) => [`aws_${name}`, { group: GROUP, kind: `K${name}` }]))

function attribute(name: string, type: Type, more: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type,
    description: '',
    descriptionKind: 'plain',
    required: false,
    optional: !(more.required ?? false) && !(more.computed ?? false),
    computed: false,
    sensitive: false,
    writeOnly: false,
    deprecated: false,
    deprecationMessage: '',
    ...more,
  }
}

function block(attributes: readonly Attribute[], blocks: readonly NestedBlock[] = []): Block {
  return {
    attributes: new Map(attributes.map((each) => [each.name, each])),
    blocks: new Map(blocks.map((each) => [each.name, each])),
    description: '',
    descriptionKind: 'plain',
    deprecated: false,
    deprecationMessage: '',
  }
}

const schema = (attributes: readonly Attribute[], blocks: readonly NestedBlock[] = []): Schema => ({
  version: 0,
  block: block(attributes, blocks),
})

const crdOf = (versions: readonly JsonObject[], names: object = NAMES): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `vpcs.${GROUP}` },
  spec: { group: GROUP, scope: 'Cluster', names, versions },
})

/** All that kube-apiserver would say against it. */
function problems(crd: KubeObject): readonly string[] {
  const decoded = decodeCrd(structuredClone(crd))
  expect([decoded.unknown, decoded.mismatches]).toEqual([[], []])
  return validateCrdSpec(defaultCrd(decoded.crd)).map(({ path, message }) => `${path}: ${message}`)
}

const render = (given: Schema, sort: 'resource' | 'data' = 'resource', more: object = {}) =>
  renderKind(shapeOf(given, { prefix: 'aws', targets: TARGETS, sort }), { type: 'aws_vpc', sort, ...more })

/** The schema at a path of the rendered kind. */
function at(given: Schema, path: string, sort: 'resource' | 'data' = 'resource'): unknown {
  let found: unknown = render(given, sort).versions[0]['schema']
  for (const part of ['openAPIV3Schema', ...path.split('.').flatMap((each) => (each === '[]' ? ['items'] : ['properties', each]))])
    found = isJsonObject(found) ? found[part] : undefined
  return found
}

describe('kinds from schemas', () => {
  it('are accepted as CustomResourceDefinitions, whatever the schema', () => {
    fc.assert(
      fc.property(anySchema, fc.constantFrom('resource', 'data'), (given, sort) => {
        expect(problems(crdOf(render(given, sort).versions))).toEqual([])
        expect(
          problems(providerConfigKind(GROUP, shapeOf(given, { sort: 'configuration' }), 'aws')).filter(
            (each) => !each.startsWith('metadata.name'),
          ),
        ).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('leave it to the provider to ask for what a rule cannot look at', () => {
    const any = attribute('any', DYNAMIC, { required: true })
    const text = attribute('text', STRING, { required: true })
    const [version] = render(schema([any, text])).versions
    expect(problems(crdOf([version]))).toEqual([])
    expect(JSON.stringify(version)).toContain('spec.forProvider.text is required')
    expect(JSON.stringify(version)).not.toContain('spec.forProvider.any is required')
  })

  it('are the same each time, in whatever order a provider lists its attributes', () => {
    fc.assert(
      fc.property(anySchema, (given) => {
        const turned: Schema = { ...given, block: { ...given.block, attributes: new Map([...given.block.attributes].toReversed()) } }
        expect(JSON.stringify(render(turned))).toBe(JSON.stringify(render(given)))
      }),
      { numRuns: 30 },
    )
  })

  it.each<[string, Attribute, string, unknown]>([
    ['T132 text', attribute('cidr_block', STRING), 'spec.forProvider.cidrBlock', { type: 'string' }],
    ['T132 number', attribute('size', NUMBER), 'spec.forProvider.size', { type: 'number' }],
    [
      'T132 number, answered: of any size',
      attribute('size', NUMBER),
      'status.atProvider.size',
      { 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'T133 set',
      attribute('zones', setOf(STRING)),
      'spec.forProvider.zones',
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ],
    ['T133 map', attribute('tags', mapOf(STRING)), 'spec.forProvider.tags', { type: 'object', additionalProperties: { type: 'string' } }],
    ['T133 dynamic', attribute('value', DYNAMIC), 'spec.forProvider.value', { 'x-kubernetes-preserve-unknown-fields': true }],
    ['T138 sensitive: not itself', attribute('password', STRING, { sensitive: true }), 'spec.forProvider.password', undefined],
    ['T139 sensitive: not shown', attribute('password', STRING, { sensitive: true }), 'status.atProvider.password', undefined],
    ['T141 write-only: not itself', attribute('secret', STRING, { writeOnly: true }), 'spec.forProvider.secret', undefined],
    ['T143 computed: not given', attribute('arn', STRING, { computed: true }), 'spec.forProvider.arn', undefined],
    ['T143 computed: shown', attribute('arn', STRING, { computed: true }), 'status.atProvider.arn', { type: 'string' }],
    ['T143 id of SDK: not given', attribute('id', STRING, { computed: true, optional: true }), 'spec.forProvider.id', undefined],
    [
      'T176 computed tags: not given',
      attribute('tags_all', mapOf(STRING), { computed: true, optional: true }),
      'spec.forProvider.tagsAll',
      undefined,
    ],
    [
      'T142 deprecated',
      attribute('old', BOOL, { deprecated: true, deprecationMessage: 'Use new. It is better.', description: 'An old one.' }),
      'spec.forProvider.old',
      { type: 'boolean', description: 'Deprecated: Use new. An old one.' },
    ],
  ])('%s', (_reason, given, path, expected) => expect(at(schema([given]), path)).toEqual(expected))

  it('T138: secrets come from Secrets: a key, several, a whole one', () => {
    const given = schema([
      attribute('password', STRING, { sensitive: true, required: true }),
      attribute('keys', listOf(STRING), { sensitive: true }),
      attribute('variables', mapOf(STRING), { sensitive: true }),
    ])
    expect(at(given, 'spec.forProvider.passwordSecretRef')).toMatchObject({ required: ['name', 'namespace', 'key'] })
    expect(at(given, 'spec.forProvider.keysSecretRef')).toMatchObject({ type: 'array', items: { required: ['name', 'namespace', 'key'] } })
    expect(at(given, 'spec.forProvider.variablesSecretRef')).toMatchObject({ required: ['name', 'namespace'] })
    expect(render(given).connectionDetails.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['attribute.password', 'password', 'attribute.keys', 'keys']),
    )
  })

  it('T134: blocks by their nesting; one that occurs once is an object', () => {
    const inner = block([attribute('port', NUMBER, { required: true }), attribute('cidr', STRING)])
    const nest = (name: string, nesting: NestedBlock['nesting'], more: Partial<NestedBlock> = {}): NestedBlock => ({
      name,
      nesting,
      block: inner,
      minItems: 0,
      maxItems: 0,
      ...more,
    })
    const given = schema(
      [],
      [
        nest('one', 'single'),
        nest('only', 'list', { maxItems: 1 }),
        nest('many', 'list', { minItems: 2, maxItems: 5 }),
        nest('all', 'set'),
        nest('by_name', 'map'),
      ],
    )
    expect(at(given, 'spec.forProvider.one')).toMatchObject({ type: 'object', properties: { port: { type: 'number' } } })
    expect(at(given, 'spec.forProvider.only')).toMatchObject({ type: 'object', properties: { port: { type: 'number' } } })
    expect(at(given, 'spec.forProvider.many')).toMatchObject({ type: 'array', minItems: 2, maxItems: 5, items: { required: ['port'] } })
    expect(at(given, 'spec.forProvider.all')).toMatchObject({ type: 'array', 'x-kubernetes-list-type': 'atomic' })
    expect(at(given, 'spec.forProvider.byName')).toMatchObject({ type: 'object', additionalProperties: { required: ['port'] } })
    expect(at(given, 'status.atProvider.only.port')).toBeDefined()
  })

  it('T145: a field that is called like another type can be filled from it', () => {
    const given = schema([
      attribute('vpc_id', STRING, { required: true }),
      attribute('subnet_ids', setOf(STRING)),
      attribute('role_arn', STRING),
      attribute('zone_id', STRING),
    ])
    const [vpc, subnets, role, zone] = ['vpcId', 'subnetIds', 'roleArn', 'zoneId'].map(
      (name) => shapeOf(given, { prefix: 'aws', targets: TARGETS }).fields.find(({ field }) => field === name)?.reference,
    )
    expect(vpc).toMatchObject({ refField: 'vpcIdRef', selectorField: 'vpcIdSelector', many: false, kinds: [{ kind: 'Kvpc' }] })
    expect(subnets).toMatchObject({ refField: 'subnetIdRefs', selectorField: 'subnetIdSelector', many: true })
    expect(role).toMatchObject({ attribute: 'arn' })
    expect(zone).toBeUndefined()
    expect(at(given, 'spec.forProvider.vpcIdRef')).toMatchObject({ required: ['name'] })
  })

  it('a data file names what the schema does not', () => {
    const overlay = overlayOf(
      parseOverlay(
        {
          types: {
            aws_vpc: {
              kind: 'Network',
              sensitive: ['user_data'],
              references: { vpc_id: null, log_bucket: 'aws_bucket' },
              connection: { endpoint: 'address' },
            },
          },
        },
        'x',
      ),
      'aws_vpc',
    )
    const shape = shapeOf(
      schema([attribute('user_data', STRING), attribute('vpc_id', STRING), attribute('log_bucket', STRING), attribute('address', STRING)]),
      { prefix: 'aws', targets: TARGETS, overlay },
    )
    const field = (name: string) => shape.fields.find((each) => each.name === name)
    expect(field('user_data')).toMatchObject({ secretField: 'userDataSecretRef', output: 'connection' })
    expect(field('vpc_id')?.reference).toBeUndefined()
    expect(field('log_bucket')?.reference).toMatchObject({ refField: 'logBucketRef' })
    expect(renderKind(shape, { type: 'aws_vpc', sort: 'resource', overlay }).connectionDetails.map(({ name }) => name)).toContain(
      'endpoint',
    )
    expect(() => parseOverlay({ types: { aws_vpc: { sensitve: [] } } }, 'the file')).toThrow(
      /the file: types.aws_vpc.sensitve is not known/,
    )
  })

  it('T161: what is too large is cut where it is deep, and stays a valid kind', () => {
    const deep = (levels: number): Block =>
      block(
        [...'abcdefgh'].map((name) => attribute(name, STRING, { description: 'A long story about this attribute of the block.' })),
        levels === 0 ? [] : ['x', 'y', 'z'].map((name) => ({ name, nesting: 'list', block: deep(levels - 1), minItems: 0, maxItems: 0 })),
      )
    const { versions } = render({ version: 0, block: deep(6) })
    const text = JSON.stringify(versions)
    expect(text.length).toBeLessThanOrEqual(400_000)
    expect(text.length).toBeGreaterThan(20_000)
    expect(problems(crdOf(versions))).toEqual([])
  })

  it('a data source has nothing that is managed', () => {
    const given = schema([attribute('name', STRING, { required: true }), attribute('id', STRING, { optional: true, computed: true })])
    expect(at(given, 'spec.managementPolicies', 'data')).toBeUndefined()
    expect(at(given, 'spec.initProvider', 'data')).toBeUndefined()
    expect(at(given, 'spec.forProvider.id', 'data')).toBeDefined()
  })
})
