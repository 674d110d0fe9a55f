import { getOwn, type JsonObject, type JsonValue } from '@weft/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connectionKeys } from '../kinds/connection-keys.ts'
import { shapeOf } from '../kinds/shape-of.ts'
import type { Field, Form } from '../kinds/shape.ts'
import { anySchema } from '../schema/arbitrary.fixture.ts'
import { blockType } from '../schema/block-type.ts'
import type { Attribute, NestedBlock, Schema } from '../schema/schema.ts'
import { equalValues } from '../value/compare-values.ts'
import { Decimal } from '../value/decimal.ts'
import { decodeMsgpack, encodeMsgpack } from '../value/msgpack.ts'
import { anyValue } from '../value/arbitrary.fixture.ts'
import { BOOL, listOf, mapOf, NUMBER, objectOf, setOf, STRING, type Type } from '../value/type.ts'
import { UNKNOWN, type Value } from '../value/value.ts'
import { ConfigErrors } from './config-error.ts'
import { toAtProvider, toConnection } from './from-state.ts'
import { secretRefs } from './secret-refs.ts'
import { toConfig } from './to-config.ts'
import { typeOfForm } from './type-of-form.ts'

const attribute = (name: string, type: Type, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type,
  description: '',
  descriptionKind: 'plain',
  required: false,
  optional: true,
  computed: false,
  sensitive: false,
  writeOnly: false,
  deprecated: false,
  deprecationMessage: '',
  ...more,
})
const blockOf = (attributes: readonly Attribute[], blocks: readonly NestedBlock[] = []): Schema['block'] => ({
  attributes: new Map(attributes.map((each) => [each.name, each])),
  blocks: new Map(blocks.map((each) => [each.name, each])),
  description: '',
  descriptionKind: 'plain',
  deprecated: false,
  deprecationMessage: '',
})
const nested = (name: string, nesting: NestedBlock['nesting'], maxItems = 0): NestedBlock => ({
  name,
  nesting,
  block: blockOf([attribute('port', NUMBER), attribute('key', STRING, { sensitive: true })]),
  minItems: 0,
  maxItems,
})
const SCHEMA: Schema = {
  version: 0,
  block: blockOf(
    [
      attribute('cidr_block', STRING),
      attribute('count_of', NUMBER),
      attribute('enabled', BOOL),
      attribute('zones', setOf(STRING)),
      attribute('names', listOf(STRING)),
      attribute('tags', mapOf(STRING)),
      attribute('settings', objectOf({ max_size: NUMBER, mode: STRING })),
      attribute('password', STRING, { sensitive: true }),
      attribute('token_wo', STRING, { writeOnly: true }),
      attribute('environment', mapOf(STRING), { sensitive: true }),
      attribute('certificate', STRING, { optional: false, computed: true, sensitive: true }),
      attribute('arn', STRING, { optional: false, computed: true }),
    ],
    [nested('rule', 'list'), nested('only', 'list', 1), nested('group', 'group'), nested('single', 'single'), nested('members', 'set')],
  ),
}
const { fields } = shapeOf(SCHEMA)
const type = blockType(SCHEMA.block)
const config = (parameters: JsonObject, more: object = {}) => toConfig(fields, parameters, more)
const problemsOf = (parameters: JsonObject, more: object = {}): readonly string[] => {
  try {
    config(parameters, more)
    return []
  } catch (error) {
    if (error instanceof ConfigErrors) return error.errors.map(({ message }) => message)
    throw error
  }
}

describe('parameters as configuration', () => {
  it('T63, T64, T87: every name is there, null where nothing was given, and blocks are empty instead', () => {
    const empty = config({})
    expect([...empty.keys()].toSorted()).toEqual([...(type.kind === 'object' ? type.attributes.keys() : [])].toSorted())
    expect(empty.get('cidr_block')).toBeNull()
    expect(empty.get('zones')).toBeNull()
    expect(empty.get('rule')).toEqual([])
    expect(empty.get('only')).toEqual([])
    expect(empty.get('members')).toEqual([])
    expect(empty.get('single')).toBeNull()
    expect(empty.get('group')).toEqual(
      new Map([
        ['key', null],
        ['port', null],
      ]),
    )
  })

  it('T135: an empty list is not the same as none', () => {
    expect(config({ names: [], tags: {} }).get('names')).toEqual([])
    expect(config({ names: [], tags: {} }).get('tags')).toEqual(new Map())
  })

  it('T134: a block that occurs once is wrapped', () => {
    expect(config({ only: { port: 80 } }).get('only')).toEqual([
      new Map<string, Value>([
        ['key', null],
        ['port', Decimal.of(80)],
      ]),
    ])
  })

  it('T76: texts, numbers and booleans stand for each other; sets hold nothing twice', () => {
    const value = config({ cidrBlock: 5, countOf: '7227701560655103598', enabled: 'true', zones: ['b', 'a', 'b'] })
    expect(value.get('cidr_block')).toBe('5')
    expect(value.get('count_of')).toEqual(Decimal.of(7227701560655103598n))
    expect(value.get('enabled')).toBe(true)
    expect(value.get('zones')).toEqual(['a', 'b'])
  })

  it('errors are in the words and paths of the user’s object, all at once, without values', () => {
    const wrong = { cidrBlock: {}, count_of: 1, rule: [{ port: 'secret-text' }], arn: 'x', password: 'hunter2', settings: { maxsize: 1 } }
    expect(problemsOf(wrong)).toEqual([
      'spec.forProvider.count_of is called countOf',
      'spec.forProvider.arn cannot be set: the provider decides it',
      'spec.forProvider.password is called passwordSecretRef, and takes its value from a Secret',
      'spec.forProvider.cidrBlock must be a text',
      'spec.forProvider.rule[0].port must be a number',
      'spec.forProvider.settings.maxsize is not a field of it',
    ])
    expect(problemsOf(wrong).join()).not.toMatch(/hunter2|secret-text/)
  })

  it('T138, T141: secrets are looked up by what the parameters name', () => {
    const at = (name: string, key?: string) => ({ name, namespace: 'n', ...(key !== undefined && { key }) })
    const parameters = {
      passwordSecretRef: at('s', 'k'),
      tokenWoSecretRef: at('s', 'gone'),
      environmentSecretRef: at('whole'),
      rule: [{ keySecretRef: at('t', 'k') }],
    }
    expect(secretRefs(fields, parameters)).toEqual(expect.arrayContaining([at('s', 'k'), at('whole'), at('t', 'k')]))
    const secrets = ({ name, key }: { name: string; key?: string }) =>
      name === 'whole' ? new Map([['A', '1']]) : key === 'k' ? `of ${name}` : undefined
    expect(problemsOf(parameters, { secrets })).toEqual([
      'spec.forProvider.tokenWoSecretRef refers to key "gone" of Secret n/s, which does not exist',
    ])
    const { tokenWoSecretRef: _none, ...rest } = parameters
    const value = config(rest, { secrets })
    expect(value.get('password')).toBe('of s')
    expect(value.get('environment')).toEqual(new Map([['A', '1']]))
    expect(value.get('rule')).toEqual([
      new Map<string, Value>([
        ['key', 'of t'],
        ['port', null],
      ]),
    ])
  })

  it('T154: what is given for the creation only is there at first, and then left as it is', () => {
    const initial = { countOf: 3, settings: { maxSize: 1, mode: 'a' } }
    const given = { cidrBlock: 'x', settings: { mode: 'b' } }
    const first = config(given, { initial })
    expect(first.get('count_of')).toEqual(Decimal.of(3))
    expect(first.get('settings')).toEqual(
      new Map<string, Value>([
        ['max_size', Decimal.of(1)],
        ['mode', 'b'],
      ]),
    )
    const prior = new Map<string, Value>([
      ['count_of', Decimal.of(9)],
      [
        'settings',
        new Map<string, Value>([
          ['max_size', Decimal.of(8)],
          ['mode', 'z'],
        ]),
      ],
    ])
    const later = config(given, { initial, prior })
    expect(later.get('count_of')).toEqual(Decimal.of(9))
    expect(later.get('settings')).toEqual(
      new Map<string, Value>([
        ['max_size', Decimal.of(8)],
        ['mode', 'b'],
      ]),
    )
  })

  it('is a value of the provider’s type for random schemas and parameters, and goes over the wire', () => {
    fc.assert(
      fc.property(
        anySchema.chain((schema) => {
          const shape = shapeOf(schema)
          return parametersFor(shape.fields).map((parameters) => ({ schema, shape, parameters }))
        }),
        ({ schema, shape, parameters }) => {
          expect(typeOfForm({ kind: 'object', fields: shape.fields })).toBeDefined()
          const value = toConfig(shape.fields, parameters, { secrets: () => '"s"' })
          const wire = decodeMsgpack(blockType(schema.block), encodeMsgpack(blockType(schema.block), value))
          expect(equalValues(blockType(schema.block), wire, value)).toBe(true)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('comes back as it was given, where it can be shown', () => {
    fc.assert(
      fc.property(
        anySchema.chain((schema) => {
          const { fields: shape } = shapeOf(schema)
          return parametersFor(shape).map((parameters) => ({ shape, parameters }))
        }),
        ({ shape, parameters }) => {
          const value = toConfig(shape, parameters, { secrets: () => '"s"' })
          const again = toAtProvider(shape, value)
          const back = toConfig(shape, onlyInputs(shape, again))
          for (const { name, input, output, form } of shape)
            if (input !== 'none' && output === 'status' && isPlain(form))
              expect(equalValues(typeOfForm(form), back.get(name) ?? null, value.get(name) ?? null)).toBe(true)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('a state as what is shown', () => {
  const state = new Map<string, Value>([
    ...config({ cidrBlock: 'c', only: { port: 1 }, rule: [{ port: 2 }] }),
    ['certificate', 'PEM'],
    ['arn', 'arn:x'],
    ['count_of', Decimal.of('7227701560655103598')],
    ['password', 'generated'],
    [
      'rule',
      [
        new Map<string, Value>([
          ['port', UNKNOWN],
          ['key', 'k0'],
        ]),
      ],
    ],
  ])

  it('T139, T132: nothing sensitive, unknown or null; numbers of any size', () => {
    expect(toAtProvider(fields, state)).toEqual({
      cidrBlock: 'c',
      arn: 'arn:x',
      countOf: '7227701560655103598',
      only: { port: 1 },
      rule: [{}],
      group: {},
      members: [],
    })
  })

  it('T139: what is sensitive is a connection detail, by its path', () => {
    expect(toConnection(fields, connectionKeys(fields), state)).toEqual({
      'attribute.certificate': 'PEM',
      certificate: 'PEM',
      'attribute.password': 'generated',
      password: 'generated',
      'attribute.rule.key.0': 'k0',
    })
  })

  it('T207: never holds a sensitive value, for random schemas and states', () => {
    fc.assert(
      fc.property(
        anySchema.chain((schema) => anyValue(blockType(schema.block), { unknown: true }).map((value) => ({ schema, value }))),
        ({ schema, value }) => {
          const shape = shapeOf(schema).fields
          expect(JSON.stringify(toAtProvider(shape, planted(shape, value)))).not.toContain(SENTINEL)
          toConnection(shape, connectionKeys(shape), value)
        },
      ),
      { numRuns: 100 },
    )
  })
})

const SENTINEL = 'SENTINEL-OF-A-SECRET'

/** The state with every sensitive or write-only attribute replaced by the sentinel. */
function planted(within: readonly Field[], value: Value): Value {
  if (!(value instanceof Map)) return value
  return new Map(
    within.map(({ name, output, form }) => [name, output === 'status' ? plantedIn(form, value.get(name) ?? null) : SENTINEL] as const),
  )
}

function plantedIn(form: Form, value: Value): Value {
  if (form.kind === 'object') return planted(form.fields, value)
  if ((form.kind === 'list' || form.kind === 'set' || form.kind === 'only') && Array.isArray(value))
    return (value as Value[]).map((each) => plantedIn(form.element, each))
  return value
}

/** Random parameters that a definition would let pass. */
function parametersFor(within: readonly Field[]): fc.Arbitrary<JsonObject> {
  const given = within.filter(({ input }) => input !== 'none')
  return fc
    .tuple(...given.map((field) => fc.option(inputFor(field), { nil: undefined, freq: 3 })))
    .map((values) =>
      Object.fromEntries(
        given.flatMap((field, i) => (values[i] === undefined ? [] : [[field.secretField ?? field.field, values[i]] as const])),
      ),
    )
}

const REF = { name: 's', namespace: 'n', key: 'k' }

function inputFor({ secretField, form }: Field): fc.Arbitrary<JsonValue> {
  // What a Secret must hold depends on the type; the one here holds a JSON text.
  return secretField === undefined ? jsonFor(form) : form.kind === 'string' ? fc.constant(REF) : fc.constant(null)
}

function jsonFor(form: Form): fc.Arbitrary<JsonValue> {
  switch (form.kind) {
    case 'string':
      return fc.string({ unit: 'binary', maxLength: 10 })
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant('7227701560655103598'))
    case 'bool':
      return fc.boolean()
    case 'dynamic':
      return fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>
    case 'object':
      return parametersFor(form.fields) as fc.Arbitrary<JsonValue>
    case 'only':
      return jsonFor(form.element)
    case 'list':
    case 'set':
      return fc.array(jsonFor(form.element), { maxLength: 4 })
    case 'map':
      return fc.dictionary(fc.string({ maxLength: 5 }), jsonFor(form.element), { maxKeys: 3 })
    case 'tuple':
      return fc.tuple(...form.elements.map(jsonFor)) as fc.Arbitrary<JsonValue[]>
    default:
      return form satisfies never
  }
}

/** A status may hold what cannot be given: left out, at every depth, before it is given back. */
function onlyInputs(within: readonly Field[], shown: JsonObject): JsonObject {
  return Object.fromEntries(
    within.flatMap(({ input, field, secretField, form }) => {
      const value = getOwn(shown, field) as JsonValue | undefined
      if (input === 'none' || secretField !== undefined || value === undefined || !isPlain(form)) return []
      return [[field, value] as const]
    }),
  )
}

/** Everything in it can be given and is shown. */
function isPlain(form: Form): boolean {
  if (form.kind === 'object')
    return form.fields.every(
      ({ input, output, secretField, form: of }) => input !== 'none' && output === 'status' && secretField === undefined && isPlain(of),
    )
  if (form.kind === 'list' || form.kind === 'set' || form.kind === 'map' || form.kind === 'only') return isPlain(form.element)
  // Of a value whose type goes along with it, a number of many digits comes back as text.
  return form.kind === 'tuple' ? form.elements.every(isPlain) : form.kind !== 'dynamic'
}
