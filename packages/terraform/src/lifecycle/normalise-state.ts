import { blockType } from '../schema/block-type.ts'
import { emptyBlock, emptyNestedBlock } from '../schema/empty-block.ts'
import type { Block, NestedBlock } from '../schema/schema.ts'
import { hasDynamic } from '../value/type.ts'
import { Dynamic, isArray, isMap, isUnknown, UNKNOWN, type Value } from '../value/value.ts'

/**
 * Blocks are never null and never unknown as a whole. Providers on the older SDK say so all the same; made one form, both sides of a
 * comparison are alike (T87).
 */
export function normaliseState(block: Block, value: Value): Value {
  if (!isMap(value)) return value
  const result = new Map(value)
  for (const [name, nested] of block.blocks)
    if (!hasDynamic(blockType(nested.block))) result.set(name, normaliseBlock(nested, value.get(name) ?? null))
  return result
}

function normaliseBlock(nested: NestedBlock, value: Value): Value {
  const { nesting, block } = nested
  if (nesting === 'map') return value
  const one = nesting === 'single' || nesting === 'group'
  if (isUnknown(value)) return one ? unknownBlock(block) : [unknownBlock(block)]
  if (value === null) return emptyNestedBlock(nested)
  if (one) return normaliseState(block, value)
  return isArray(value) ? value.map((element) => normaliseState(block, element)) : value
}

function unknownBlock(block: Block): Value {
  const value = new Map<string, Value>(emptyBlock(block))
  for (const name of block.attributes.keys()) value.set(name, UNKNOWN)
  for (const [name, { nesting, block: inner }] of block.blocks) {
    const stub = unknownBlock(inner)
    value.set(name, nesting === 'map' ? new Map() : nesting === 'single' || nesting === 'group' ? stub : [stub])
  }
  return value
}

/** After a change everything is known. What a provider leaves unknown it has forgotten, and it is stored as nothing (T97). */
export function withoutUnknowns(value: Value): Value {
  if (isUnknown(value)) return null
  if (isArray(value)) return value.map(withoutUnknowns)
  if (isMap(value)) return new Map([...value].map(([name, part]) => [name, withoutUnknowns(part)]))
  if (value instanceof Dynamic) return new Dynamic(value.type, withoutUnknowns(value.value))
  return value
}
