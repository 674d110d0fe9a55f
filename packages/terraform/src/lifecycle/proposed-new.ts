import { emptyBlock } from '../schema/empty-block.ts'
import type { Attribute, Block, NestedBlock, NestedType } from '../schema/schema.ts'
import { distinct, equalValues, inSetOrder } from '../value/compare-values.ts'
import { Dynamic, isArray, isMap, isUnknown, type Value } from '../value/value.ts'
import { couldComeFrom } from './could-come-from.ts'
import { elementType, member, type Shape, shapeOf, unwrapped } from './shape.ts'

/**
 * What a resource should be: what is configured, and where nothing is, what the provider computed before. Exactly as OpenTofu proposes it:
 * providers compare it with what was there to find out whether anything is to be done, so one null too many shows as a large change (T84).
 */
export function proposedNew(block: Block, prior: Value, config: Value): Value {
  if (prior === null && config === null) return null
  const before = prior ?? emptyBlock(block)
  if (config === null || isUnknown(config)) return before
  const proposed = proposedAttributes(block, before, config)
  for (const [name, nested] of block.blocks) proposed.set(name, proposedBlock(nested, member(before, name), member(config, name)))
  return proposed
}

function proposedAttributes({ attributes }: Pick<Shape, 'attributes'>, prior: Value, config: Value): Map<string, Value> {
  return new Map(
    [...attributes].map(([name, attribute]) => [name, proposedAttribute(attribute, member(prior, name), member(config, name))]),
  )
}

function proposedAttribute(attribute: Attribute, prior: Value, config: Value): Value {
  const { computed, optional, nested } = attribute
  if (computed && config === null) {
    // Parts that only a configuration can have set: it said so once, and now it does not.
    return optional && nested !== undefined && holdsConfigured(nested, prior) ? null : prior
  }
  return nested === undefined ? config : proposedNested(nested, prior, config)
}

function proposedBlock(nested: NestedBlock, prior: Value, config: Value): Value {
  if (isUnknown(config)) return config
  switch (nested.nesting) {
    case 'single':
      return config === null ? null : proposedNew(nested.block, prior, config)
    case 'group':
      return proposedNew(nested.block, prior, config)
    default:
      return proposedElements(nested, nested.block, (before, wanted) => proposedNew(nested.block, before, wanted), prior, config)
  }
}

function proposedNested(nested: NestedType, prior: Value, config: Value): Value {
  if (isUnknown(config) || config === null) return config
  const shape = shapeOf(nested)
  const merge = (before: Value, wanted: Value): Value => (wanted === null ? null : proposedAttributes(shape, before, wanted))
  return nested.nesting === 'single' ? merge(prior, config) : proposedElements(nested, shape, merge, prior, config)
}

type Collection = (NestedBlock | NestedType) & { readonly nesting: NestedBlock['nesting'] }
type Merge = (prior: Value, config: Value) => Value

/** Elements are matched by place in lists, by key in maps, and in sets by what could have been made from what. */
function proposedElements(collection: Collection, shape: Shape, merge: Merge, prior: Value, config: Value): Value {
  if (config instanceof Dynamic) return new Dynamic(config.type, proposedElements(collection, shape, merge, unwrapped(prior), config.value))
  const before = unwrapped(prior)
  if (isMap(config)) {
    const known = isMap(before) ? before : new Map<string, Value>()
    return new Map([...config].map(([key, wanted]) => [key, known.has(key) ? merge(known.get(key) ?? null, wanted) : wanted]))
  }
  if (!isArray(config) || config.length === 0) return config
  const known = isArray(before) ? before : []
  if (collection.nesting !== 'set') return config.map((wanted, at) => (at < known.length ? merge(known[at] ?? null, wanted) : wanted))
  const type = elementType(collection)
  const left = [...inSetOrder(type, known)]
  const merged = inSetOrder(type, config).map((wanted) => {
    const match = left.findIndex((candidate) => equalValues(type, candidate, wanted) || couldComeFrom(shape, candidate, wanted))
    return merge(match < 0 ? null : (left.splice(match, 1)[0] ?? null), wanted)
  })
  return distinct(type, merged)
}

/** Is there anything inside that is not computed? */
function holdsConfigured({ nesting, attributes }: NestedType, value: Value): boolean {
  if (value === null || isUnknown(value)) return false
  if (nesting !== 'single') {
    const elements = isArray(value) ? value : isMap(value) ? [...value.values()] : []
    return elements.some((element) => holdsConfigured({ nesting: 'single', attributes }, element))
  }
  return [...attributes].some(([name, attribute]) => {
    const part = member(value, name)
    return part !== null && (!attribute.computed || (attribute.nested !== undefined && holdsConfigured(attribute.nested, part)))
  })
}
