import { blockType, nestedType } from '../schema/block-type.ts'
import type { Attribute, Block, NestedBlock, NestedType } from '../schema/schema.ts'
import type { Type } from '../value/type.ts'
import { Dynamic, isMap, type Value } from '../value/value.ts'

/** What has attributes: a block, or one element of an attribute with a nested type, which has no blocks. */
export interface Shape {
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly blocks: ReadonlyMap<string, NestedBlock>
}

const NO_BLOCKS: ReadonlyMap<string, NestedBlock> = new Map()

export const shapeOf = (nested: NestedType): Shape => ({ attributes: nested.attributes, blocks: NO_BLOCKS })

/** The type of one element. */
export function elementType(of: { readonly block: Block } | NestedType): Type {
  return 'block' in of ? blockType(of.block) : nestedType({ ...of, nesting: 'single' })
}

/** A part of an object; null where the object is null, and unknown where it is unknown. */
export function member(object: Value, name: string): Value {
  return isMap(object) ? (object.get(name) ?? null) : object
}

/** Blocks that hold dynamic values come with their type; what counts is inside. */
export const unwrapped = (value: Value): Value => (value instanceof Dynamic ? value.value : value)
