import type { Attribute, NestedBlock, NestedType } from '../schema/schema.ts'
import { nestedBlockType } from '../schema/block-type.ts'
import { equalValues } from '../value/compare-values.ts'
import { isArray, isMap, isUnknown, type Value } from '../value/value.ts'
import { elementType, member, type Shape, shapeOf, unwrapped } from './shape.ts'

/**
 * Can an element of a set have been made from what is configured? Then it differs only where the provider decides: at attributes that are
 * computed and not configured. Only what the older one has is looked at, so that more in the newer one goes unnoticed, as it does in
 * OpenTofu (T82).
 */
export function couldComeFrom({ attributes, blocks }: Shape, prior: Value, config: Value): boolean {
  if (!isMap(prior)) return true
  if (config === null) return false
  for (const [name, attribute] of attributes) if (!attributeCould(attribute, member(prior, name), member(config, name))) return false
  for (const [name, block] of blocks) if (!blockCould(block, member(prior, name), member(config, name))) return false
  return true
}

function attributeCould({ type, nested, computed }: Attribute, prior: Value, config: Value): boolean {
  if (equalValues(type, prior, config)) return true
  if (type.kind === 'set') return false
  if (nested !== undefined) return partsCould(nested, shapeOf(nested), prior, config)
  return computed && config === null
}

function blockCould(nested: NestedBlock, prior: Value, config: Value): boolean {
  const type = nestedBlockType(nested)
  return equalValues(type, prior, config) || (type.kind !== 'set' && partsCould(nested, nested.block, prior, config))
}

function partsCould(of: NestedBlock | NestedType, shape: Shape, given: Value, wanted: Value): boolean {
  const [prior, config] = [unwrapped(given), unwrapped(wanted)]
  if (prior === null || isUnknown(prior)) return true
  if (of.nesting === 'single' || of.nesting === 'group') return couldComeFrom(shape, prior, config)
  if (config === null) return false
  const type = elementType(of)
  const could = (before: Value, after: Value): boolean => equalValues(type, before, after) || couldComeFrom(shape, before, after)
  if (isArray(prior))
    return prior.every((element, at) => isUnknown(config) || (isArray(config) && at < config.length && could(element, config[at] ?? null)))
  if (isMap(prior))
    return [...prior].every(
      ([key, element]) => isUnknown(config) || (isMap(config) && config.has(key) && could(element, config.get(key) ?? null)),
    )
  return true
}
