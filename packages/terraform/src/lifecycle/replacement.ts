import { type AttributePath, pathText } from '../protocol/diagnostic.ts'
import { blockType } from '../schema/block-type.ts'
import type { Attribute, Block } from '../schema/schema.ts'
import { equalValues, memberType } from '../value/compare-values.ts'
import type { Type } from '../value/type.ts'
import { Dynamic, isArray, isMap, isUnknown, isWhollyKnown, type Value } from '../value/value.ts'

/**
 * The attributes that cannot be changed on what there is. Providers name more than that: also what is the same as before, and on a create
 * everything that could never be changed later (T88).
 */
export function replacementCauses(
  block: Block,
  { prior, planned, named }: { readonly prior: Value; readonly planned: Value; readonly named: readonly AttributePath[] },
): readonly AttributePath[] {
  if (prior === null) return []
  return named.filter((path) => {
    const before = valueAt(blockType(block), prior, path)
    const after = valueAt(blockType(block), planned, path)
    if (before === undefined && after === undefined)
      throw new Error(`the provider wants a replacement because of ${pathText(path)}, which does not exist; report this to its authors`)
    const type = before?.type ?? after?.type ?? { kind: 'dynamic' }
    const [old, now] = [before?.value ?? null, after?.value ?? null]
    return !isWhollyKnown(now) || !equalValues(type, old, now) || attributeAt(block, path)?.writeOnly === true
  })
}

function valueAt(type: Type, value: Value, [step, ...rest]: AttributePath): { readonly type: Type; readonly value: Value } | undefined {
  if (step === undefined) return { type, value }
  if (value instanceof Dynamic) return valueAt(value.type, value.value, [step, ...rest])
  const key = step.type === 'attribute' ? step.name : step.type === 'key' ? step.key : step.index
  const inner = memberType(type, key)
  if (isUnknown(value)) return valueAt(inner, value, rest)
  if (isMap(value) && typeof key === 'string' && value.has(key)) return valueAt(inner, value.get(key) ?? null, rest)
  if (isArray(value) && typeof key === 'number' && key < value.length) return valueAt(inner, value[key] ?? null, rest)
  return undefined
}

/** The attribute that a path leads to; indices and keys lead on to the elements. */
function attributeAt(block: Block, path: AttributePath): Attribute | undefined {
  const names = path.flatMap((step) => (step.type === 'attribute' ? [step.name] : []))
  let { attributes, blocks }: Pick<Block, 'attributes' | 'blocks'> = block
  for (const [index, name] of names.entries()) {
    const attribute = attributes.get(name)
    const last = index === names.length - 1
    if (attribute !== undefined) {
      if (last || attribute.nested === undefined) return last ? attribute : undefined
      attributes = attribute.nested.attributes
      blocks = new Map()
      continue
    }
    const nested = blocks.get(name)
    if (nested === undefined) return undefined
    ;({ attributes, blocks } = nested.block)
  }
  return undefined
}
