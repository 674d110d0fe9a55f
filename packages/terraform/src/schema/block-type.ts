import { DYNAMIC, hasDynamic, listOf, mapOf, objectOf, setOf, type Type } from '../value/type.ts'
import type { Block, IdentitySchema, NestedBlock, NestedType } from './schema.ts'

const types = new WeakMap<Block, Type>()
const nestedTypes = new WeakMap<NestedBlock, Type>()

/** The type of a block's value: an object of its attributes and blocks. Made once per block. */
export function blockType(block: Block): Type {
  const known = types.get(block)
  if (known !== undefined) return known
  const parts = new Map<string, Type>()
  for (const [name, { type }] of block.attributes) parts.set(name, type)
  for (const [name, nested] of block.blocks) parts.set(name, nestedBlockType(nested))
  const type = objectOf(parts)
  types.set(block, type)
  return type
}

/**
 * Elements of a list or map share one type, so blocks that hold dynamic values, each with a type of its own, cannot be one: they are a tuple
 * or an object, whose types are known with the value only.
 */
export function nestedBlockType(nested: NestedBlock): Type {
  const known = nestedTypes.get(nested)
  if (known !== undefined) return known
  const type = collectionOf(nested)
  nestedTypes.set(nested, type)
  return type
}

function collectionOf({ nesting, block }: NestedBlock): Type {
  const type = blockType(block)
  switch (nesting) {
    case 'single':
    case 'group':
      return type
    case 'list':
      return hasDynamic(type) ? DYNAMIC : listOf(type)
    case 'map':
      return hasDynamic(type) ? DYNAMIC : mapOf(type)
    case 'set':
      return setOf(type)
    default:
      return nesting satisfies never
  }
}

export function nestedType({ nesting, attributes }: NestedType): Type {
  const type = objectOf(new Map([...attributes].map(([name, attribute]) => [name, attribute.type])))
  switch (nesting) {
    case 'single':
      return type
    case 'list':
      return listOf(type)
    case 'set':
      return setOf(type)
    case 'map':
      return mapOf(type)
    default:
      return nesting satisfies never
  }
}

export const identityType = ({ attributes }: IdentitySchema): Type =>
  objectOf(new Map([...attributes].map(([name, { type }]) => [name, type])))
