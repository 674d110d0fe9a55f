import { type Attribute, type Block, listOf, type ProviderSchema, type Schema, STRING, type Type } from '@weft/terraform'

const attribute = (name: string, type: Type, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type,
  description: `What ${name} is for, at the length that such sentences have in the schemas of large providers.`,
  descriptionKind: 'markdown',
  required: false,
  optional: more.computed !== true,
  computed: false,
  sensitive: false,
  writeOnly: false,
  deprecated: false,
  deprecationMessage: '',
  ...more,
})

const block = (attributes: readonly Attribute[], nested: readonly (readonly [string, Block])[] = []): Block => ({
  attributes: new Map(attributes.map((each) => [each.name, each])),
  blocks: new Map(nested.map(([name, of]) => [name, { name, nesting: 'list', block: of, minItems: 0, maxItems: 1 }])),
  description: '',
  descriptionKind: 'plain',
  deprecated: false,
  deprecationMessage: '',
})

/** As large as a type of a cloud usually is: thirty attributes, and blocks in blocks. */
const typical = (): Schema => {
  const some = (count: number): readonly Attribute[] =>
    Array.from({ length: count }, (_, i) => attribute(`setting_${i}`, i % 5 === 0 ? listOf(STRING) : STRING))
  const inner = block(some(8))
  const outer = block(some(8), [['inner', inner]])
  return {
    version: 0,
    block: block(
      [...some(25), attribute('id', STRING, { optional: true, computed: true }), attribute('password', STRING, { sensitive: true })],
      [
        ['first', outer],
        ['second', outer],
        ['third', outer],
      ],
    ),
  }
}

/** A provider of the size of the largest. */
export function largeProvider(resources: number, dataSources: number): ProviderSchema {
  const named = (count: number): ReadonlyMap<string, Schema> =>
    new Map(Array.from({ length: count }, (_, i) => [`bench_service_${i % 90}_thing_${i}`, typical()]))
  return {
    protocol: 5,
    provider: { version: 0, block: block([attribute('region', STRING)]) },
    resources: named(resources),
    dataSources: named(dataSources),
    identities: new Map(),
    capabilities: { planDestroy: false, schemaOptional: true, moveResourceState: false },
  }
}
