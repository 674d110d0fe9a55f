import type { Value } from '../value/value.ts'
import type { Block, NestedBlock } from './schema.ts'

/** What a block is when nothing is written in it: no attributes, and no blocks, which is an empty collection rather than null (T64). */
export function emptyBlock(block: Block): ReadonlyMap<string, Value> {
  const value = new Map<string, Value>()
  for (const name of block.attributes.keys()) value.set(name, null)
  for (const [name, nested] of block.blocks) value.set(name, emptyNestedBlock(nested))
  return value
}

export function emptyNestedBlock({ nesting, block }: NestedBlock): Value {
  switch (nesting) {
    case 'single':
      return null
    case 'group':
      return emptyBlock(block)
    case 'list':
    case 'set':
      return []
    case 'map':
      return new Map()
    default:
      return nesting satisfies never
  }
}
