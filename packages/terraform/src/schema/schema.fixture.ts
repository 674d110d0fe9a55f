import type { Type } from '../value/type.ts'
import { nestedType } from './block-type.ts'
import type { Attribute, Block, NestedType, Nesting } from './schema.ts'

const prose = { description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const

type Flags = Partial<Pick<Attribute, 'required' | 'optional' | 'computed' | 'sensitive' | 'writeOnly'>>
/** A type, with flags (optional unless said), or the attributes of a nested type. */
export type AttributeFixture = Type | [Type, Flags] | [NestedType['nesting'], Record<string, AttributeFixture>, Flags?]

const isNested = (of: AttributeFixture): of is [NestedType['nesting'], Record<string, AttributeFixture>, Flags?] =>
  Array.isArray(of) && typeof of[0] === 'string'

function attribute(name: string, of: AttributeFixture): Attribute {
  const nested = isNested(of) ? { nesting: of[0], attributes: attributes(of[1]) } : undefined
  const flags = isNested(of) ? (of[2] ?? {}) : Array.isArray(of) ? of[1] : {}
  const type = nested !== undefined ? nestedType(nested) : Array.isArray(of) ? (of[0] as Type) : (of as Type)
  return {
    ...prose,
    name,
    type,
    nested,
    required: false,
    optional: flags.required !== true && flags.computed !== true,
    computed: false,
    sensitive: false,
    writeOnly: false,
    ...flags,
  }
}

const attributes = (of: Record<string, AttributeFixture>): Map<string, Attribute> =>
  new Map(Object.entries(of).map(([name, fixture]) => [name, attribute(name, fixture)]))

export const block = (of: Record<string, AttributeFixture>, blocks: Record<string, [Nesting, Block]> = {}): Block => ({
  ...prose,
  attributes: attributes(of),
  blocks: new Map(
    Object.entries(blocks).map(([name, [nesting, nested]]) => [name, { name, nesting, block: nested, minItems: 0, maxItems: 0 }]),
  ),
})

export const COMPUTED: Flags = { computed: true }
export const OPTIONAL_COMPUTED: Flags = { optional: true, computed: true }
