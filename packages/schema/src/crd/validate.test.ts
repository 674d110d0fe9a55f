import type { FieldError, KubeObject, Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import type { RuleCompiler } from '../rules.ts'
import { decodeCrd } from './decode.ts'
import { defaultCrd } from './defaults.ts'
import type { CrdSpec, CrdVersion, CustomResourceDefinition } from './types.ts'
import { validateCrdSpec } from './validate.ts'

const version = (changes: Partial<CrdVersion> = {}): CrdVersion => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } } },
  ...changes,
})
const definition = (spec: Partial<CrdSpec> = {}, changes: Partial<CustomResourceDefinition> = {}): CustomResourceDefinition =>
  defaultCrd({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.org' },
    spec: { group: 'example.org', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' }, versions: [version()], ...spec },
    ...changes,
  })
const withSchema = (schema: Schema): CustomResourceDefinition =>
  definition({ versions: [version({ schema: { openAPIV3Schema: schema } })] })
const withField = (x: Schema): CustomResourceDefinition => withSchema({ type: 'object', properties: { x } })
const texts = (errors: readonly FieldError[]): string[] => errors.map(({ path, message }) => `${path}: ${message}`)
const ROOT = 'spec.validation.openAPIV3Schema'

it('accepts a plain definition, and fills in its defaults', () => {
  const crd = definition()
  expect(validateCrdSpec(crd)).toEqual([])
  expect(crd.spec.names).toMatchObject({ singular: 'widget', listKind: 'WidgetList' })
  expect(crd.spec.conversion).toEqual({ strategy: 'None' })
  expect(crd.status?.storedVersions).toEqual(['v1'])
  expect(defaultCrd(crd)).toBe(crd)
})

describe('creation', () => {
  const table: { reason: string; crd: CustomResourceDefinition; errors: string[] }[] = [
    {
      reason: 'the name is plural and group',
      crd: definition({}, { metadata: { name: 'x.example.org' } }),
      errors: ['metadata.name: Invalid value: "x.example.org": must be spec.names.plural+"."+spec.group'],
    },
    {
      reason: 'exactly one storage version',
      crd: definition({ versions: [version(), version({ name: 'v2' })] }),
      errors: [
        'spec.versions: must have exactly one version marked as storage version',
        'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
      ],
    },
    {
      reason: 'a schema is needed',
      crd: definition({ versions: [{ name: 'v1', served: true, storage: true }] }),
      errors: ['spec.versions[0].schema.openAPIV3Schema: Required value'],
    },
    {
      reason: 'scope',
      crd: definition({ scope: 'World' }),
      errors: ['spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"'],
    },
    {
      reason: 'every field has a type',
      crd: withField({}),
      errors: [`${ROOT}.properties[x].type: Required value: must not be empty for specified object fields`],
    },
    {
      reason: 'types are those of OpenAPI',
      crd: withField({ type: 'text' }),
      errors: [
        `${ROOT}.properties[x].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      ],
    },
    {
      reason: 'lists say what is in them',
      crd: withField({ type: 'array' }),
      errors: [`${ROOT}.properties[x].items: Required value: must be specified`],
    },
    {
      reason: 'alternatives must not say types',
      crd: withField({ type: 'string', anyOf: [{ type: 'string' }] }),
      errors: [`${ROOT}.properties[x].anyOf[0].type: Forbidden: must be empty to be structural`],
    },
    {
      reason: 'int-or-string may be spelled out',
      crd: withField({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
      errors: [],
    },
    {
      reason: 'metadata may only restrict names',
      crd: withSchema({ type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } }),
      errors: [
        `${ROOT}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
      ],
    },
    {
      reason: 'patterns are RE2',
      crd: withField({ type: 'string', pattern: '(?=a)' }),
      errors: [
        `${ROOT}.properties[x].pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?=\``,
      ],
    },
    {
      reason: 'uniqueItems is too expensive',
      crd: withField({ type: 'array', items: { type: 'string' }, uniqueItems: true }),
      errors: [
        `${ROOT}.properties[x].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      ],
    },
    {
      reason: 'defaults are valid',
      crd: withField({ type: 'integer', minimum: 3, default: 1 }),
      errors: [`${ROOT}.properties[x].default: Invalid value: 1:  in body should be greater than or equal to 3`],
    },
    {
      reason: 'defaults are pruned',
      crd: withField({ type: 'object', properties: { a: { type: 'string' } }, default: { b: 1 } }),
      errors: [`${ROOT}.properties[x].default: Invalid value: {"b":1}: must not have unknown fields`],
    },
    {
      reason: 'no defaults in metadata',
      crd: withSchema({
        type: 'object',
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } },
      }),
      errors: [`${ROOT}.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata`],
    },
    {
      reason: 'keys of list maps are always there',
      crd: withField({
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' } } },
      }),
      errors: [
        `${ROOT}.properties[x].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
      ],
    },
    {
      reason: 'rules have a text',
      crd: withField({ type: 'string', 'x-kubernetes-validations': [{ rule: ' ' }] }),
      errors: [`${ROOT}.properties[x].x-kubernetes-validations[0].rule: Required value: rule is not specified`],
    },
    {
      reason: 'fieldPath points somewhere',
      crd: withField({
        type: 'object',
        properties: { a: { type: 'string' } },
        'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.b' }],
      }),
      errors: [`${ROOT}.properties[x].x-kubernetes-validations[0].fieldPath: Invalid value: ".b": must be a valid path`],
    },
    {
      reason: 'columns',
      crd: definition({ versions: [version({ additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: 'spec.a' }] })] }),
      errors: [
        'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.a": must be a simple json path starting with .',
      ],
    },
    {
      reason: 'selectable fields',
      crd: definition({ versions: [version({ selectableFields: [{ jsonPath: '.spec.b' }, { jsonPath: '.spec' }] })] }),
      errors: [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec.b": is an invalid path: does not refer to a valid field',
        'spec.selectableFields[1].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      ],
    },
    {
      reason: 'scale',
      crd: definition({
        versions: [version({ subresources: { scale: { specReplicasPath: '.replicas', statusReplicasPath: '.status.replicas' } } })],
      }),
      errors: ['spec.subresources.scale.specReplicasPath: Invalid value: ".replicas": should be a json path under .spec'],
    },
    {
      reason: 'a webhook needs a client',
      crd: definition({ conversion: { strategy: 'Webhook' } }),
      errors: [
        'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
        'spec.conversion.conversionReviewVersions: Required value',
      ],
    },
    {
      reason: 'a webhook speaks https',
      crd: definition({
        conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'http://x/y' } } },
      }),
      errors: [
        'spec.conversion.webhookClientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      ],
    },
    {
      reason: 'preserveUnknownFields is gone',
      crd: definition({ preserveUnknownFields: true }),
      errors: [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    },
    {
      reason: 'community groups need approval',
      crd: definition({ group: 'x.k8s.io' }, { metadata: { name: 'widgets.x.k8s.io' } }),
      errors: [
        'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    },
    {
      reason: 'or a reason for having none',
      crd: definition(
        { group: 'x.k8s.io' },
        { metadata: { name: 'widgets.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } } },
      ),
      errors: [],
    },
  ]

  it.each(table)('$reason', ({ crd, errors }) => {
    // The list of versions is printed as Go prints it; that much is not promised.
    expect(texts(validateCrdSpec(crd)).map((text) => text.replace(/^spec\.versions: Invalid value: .*\]: /, 'spec.versions: '))).toEqual(
      errors,
    )
  })

  it('allows at most 8 selectable fields', () => {
    const names = Array.from({ length: 9 }, (_, index) => `f${index}`)
    const schema: Schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) } },
    }
    const crd = definition({
      versions: [version({ schema: { openAPIV3Schema: schema }, selectableFields: names.map((name) => ({ jsonPath: `.spec.${name}` })) })],
    })
    expect(texts(validateCrdSpec(crd))).toEqual(['spec.selectableFields: Too many: 9: must have at most 8 items'])
    expect(validateCrdSpec(crd, crd)).toEqual([])
  })

  it('reports a schema that versions do not share at its version', () => {
    const bad = version({ name: 'v2', storage: false, schema: { openAPIV3Schema: { type: 'object', properties: { x: {} } } } })
    expect(validateCrdSpec(definition({ versions: [version(), bad] })).map(({ path }) => path)).toEqual([
      'spec.versions[1].schema.openAPIV3Schema.properties[x].type',
    ])
  })
})

describe('update', () => {
  const old = definition({}, { status: { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] } })
  const changed = (spec: Partial<CrdSpec>): CustomResourceDefinition => ({ ...old, spec: { ...old.spec, ...spec } })

  it.each([
    { reason: 'scope', spec: { scope: 'Cluster' }, paths: ['spec.scope'] },
    { reason: 'kind', spec: { names: { ...old.spec.names, kind: 'Other', listKind: 'OtherList' } }, paths: ['spec.names.kind'] },
    { reason: 'group', spec: { group: 'other.org' }, paths: ['spec.group'] },
    { reason: 'plural', spec: { names: { ...old.spec.names, plural: 'others' } }, paths: ['spec.names.plural'] },
    { reason: 'nothing', spec: {}, paths: [] },
  ])('$reason is immutable once established', ({ spec, paths }) => {
    expect(validateCrdSpec(changed(spec), old).map(({ path }) => path)).toEqual(paths)
  })

  it('keeps versions in which objects may be stored', () => {
    expect(texts(validateCrdSpec(changed({ versions: [version({ name: 'v2' })] }), old))).toEqual([
      'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
      expect.stringContaining(
        'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version',
      ),
    ])
  })
})

describe('rules', () => {
  const at = `${ROOT}.properties[x].x-kubernetes-validations[0].rule`
  const problem = { type: 'FieldValueInvalid', path: at, message: 'Invalid value: "?": no' } as const
  const tooExpensive = { type: 'FieldValueForbidden', path: at, message: 'Forbidden: estimated rule cost exceeds budget' } as const
  const compiler =
    (errors: readonly FieldError[]): RuleCompiler =>
    () => ({ check: () => ({ errors }), validate: () => [] })
  const crd = withField({ type: 'string', 'x-kubernetes-validations': [{ rule: 'x' }] })

  it('that do not compile are reported where they stand', () => {
    expect(validateCrdSpec(crd, undefined, { rules: compiler([problem]) })).toEqual([problem])
  })

  it('may keep their cost when the schema is unchanged', () => {
    expect(validateCrdSpec(crd, crd, { rules: compiler([tooExpensive]) })).toEqual([])
    expect(validateCrdSpec(crd, undefined, { rules: compiler([tooExpensive]) })).toHaveLength(1)
  })

  it('judge defaults', () => {
    const refused: FieldError = { type: 'FieldValueInvalid', path: 'x', message: 'no' }
    const rules: RuleCompiler = () => ({ check: () => ({ errors: [] }), validate: () => [refused] })
    const withDefault = withField({ type: 'string', default: 'a', 'x-kubernetes-validations': [{ rule: 'false' }] })
    expect(validateCrdSpec(withDefault, undefined, { rules })).toEqual([refused])
  })
})

describe('decode', () => {
  const document = (openAPIV3Schema: unknown): KubeObject => ({
    ...definition(),
    spec: { ...definition().spec, versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }] },
  })

  it('drops and reports what it does not know', () => {
    const { crd, unknown } = decodeCrd(
      document({ type: 'object', foo: 1, properties: { x: { type: 'string', bar: null, description: '' } } }),
    )
    expect(crd.spec.versions[0]?.schema?.openAPIV3Schema).toEqual({ type: 'object', properties: { x: { type: 'string' } } })
    expect(unknown).toEqual(['spec.versions[0].schema.openAPIV3Schema.foo', 'spec.versions[0].schema.openAPIV3Schema.properties.x.bar'])
  })

  it.each([
    {
      schema: { type: 5 },
      message:
        'json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.type of type string',
    },
    {
      schema: { maxLength: 1.5 },
      message:
        'json: cannot unmarshal number 1.5 into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.maxLength of type int64',
    },
    {
      schema: [],
      message:
        'json: cannot unmarshal array into Go struct field CustomResourceValidation.spec.versions.schema.openAPIV3Schema of type v1.JSONSchemaProps',
    },
  ])('refuses $schema', ({ schema, message }) => {
    expect(decodeCrd(document(schema)).mismatches.map((mismatch) => mismatch.message)).toEqual([message])
  })
})
