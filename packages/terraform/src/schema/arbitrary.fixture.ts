import fc from 'fast-check'
import { anyType } from '../value/arbitrary.fixture.ts'
import { nestedType } from './block-type.ts'
import type { Attribute, Block, NestedBlock, NestedType, Schema } from './schema.ts'

/** Names that collide once they are spelt otherwise, that are reserved somewhere, and that no provider should use. */
const names = fc.constantFrom(
  ...[
    'id',
    'name',
    'vpc_id',
    'vpc_id_ref',
    'subnet_ids',
    'a_1',
    'a1',
    'a__1',
    'password',
    'password_secret_ref',
    'namespace',
    'in',
    'tags',
  ],
  ...['tags_all', 'timeouts', '__proto__', 'constructor', 'with-dash', '2fa', 'port', 'endpoint', 'X', 'a.b', 'metadata', 'spec', 'status'],
)

const flags = fc.constantFrom(
  { required: true, optional: false, computed: false },
  { required: false, optional: true, computed: false },
  { required: false, optional: true, computed: true },
  { required: false, optional: false, computed: true },
)

const texts = fc.constantFrom('', 'A thing.', 'The `name` of [it](https://example.org). More about it.', 'x'.repeat(2000))

function attributeOf(name: string, nested: fc.Arbitrary<NestedType> | undefined): fc.Arbitrary<Attribute> {
  const shape = nested === undefined ? fc.constant(undefined) : fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, nested)
  return fc
    .record({
      flags,
      shape,
      plain: anyType,
      sensitive: fc.boolean(),
      writeOnly: fc.boolean(),
      deprecated: fc.boolean(),
      description: texts,
    })
    .map(({ flags: given, shape: nestedShape, plain, writeOnly, ...rest }) => ({
      name,
      ...given,
      ...rest,
      // Only what is configured, and never computed, can be write-only.
      writeOnly: writeOnly && !given.computed,
      type: nestedShape === undefined ? plain : nestedType(nestedShape),
      nested: nestedShape,
      descriptionKind: 'markdown' as const,
      deprecationMessage: 'Use another one.',
    }))
}

const attributesOf = (nested: fc.Arbitrary<NestedType> | undefined, maxLength: number): fc.Arbitrary<ReadonlyMap<string, Attribute>> =>
  fc
    .uniqueArray(names, { maxLength })
    .chain((chosen) => fc.tuple(...chosen.map((name) => attributeOf(name, nested))))
    .map((attributes) => new Map(attributes.map((attribute) => [attribute.name, attribute])))

const nestedTypes = (depth: number): fc.Arbitrary<NestedType> =>
  fc.record({
    nesting: fc.constantFrom('single', 'list', 'set', 'map'),
    attributes: attributesOf(depth > 0 ? nestedTypes(depth - 1) : undefined, 3),
  })

function blocks(depth: number, maxLength: number): fc.Arbitrary<Block> {
  const inner: fc.Arbitrary<readonly NestedBlock[]> =
    depth === 0
      ? fc.constant([])
      : fc.uniqueArray(names, { maxLength: 3 }).chain((chosen) =>
          fc.tuple(
            ...chosen.map((name) =>
              fc.record({
                name: fc.constant(name),
                nesting: fc.constantFrom('single', 'group', 'list', 'set', 'map') as fc.Arbitrary<NestedBlock['nesting']>,
                block: blocks(depth - 1, 3),
                minItems: fc.integer({ min: 0, max: 2 }),
                maxItems: fc.constantFrom(0, 0, 1, 5),
              }),
            ),
          ),
        )
  return fc.record({ attributes: attributesOf(nestedTypes(1), maxLength), inner }).map(({ attributes, inner: nested }) => ({
    attributes,
    blocks: new Map(
      nested
        .filter(({ name }) => !attributes.has(name))
        .map((block) => [block.name, { ...block, minItems: block.maxItems === 1 ? Math.min(block.minItems, 1) : block.minItems }]),
    ),
    description: 'A block.',
    descriptionKind: 'plain' as const,
    deprecated: false,
    deprecationMessage: '',
  }))
}

/** Random schemas, with every nesting mode and every flag. */
export const anySchema: fc.Arbitrary<Schema> = blocks(2, 8).map((block) => ({ version: 0, block }))
