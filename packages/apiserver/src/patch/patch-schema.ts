import { getOwn, type Schema } from '@weft/api'
import { objectMetaSchema } from '../apply/typed/object-meta.ts'

/** How strategic merge treats one field. */
export interface PatchRule {
  /** `merge`, `replace` or nothing. */
  readonly strategy: string
  /** What tells the items of a merged list apart; empty for lists of scalars. */
  readonly mergeKey: string
  /** The schema inside: of the object's fields, or of the list's items. */
  readonly inner: Schema | undefined
}

/** Every object has ObjectMeta, whatever its schema says about it. */
export const withObjectMeta = (schema: Schema): Schema => ({ ...schema, properties: { ...schema.properties, metadata: objectMetaSchema } })

export function ruleFor(schema: Schema | undefined, key: string): PatchRule {
  const field = fieldSchema(schema, key)
  const strategies = field?.['x-kubernetes-patch-strategy']?.split(',') ?? []
  return {
    strategy: strategies.find((strategy) => strategy !== 'retainKeys') ?? '',
    mergeKey: field?.['x-kubernetes-patch-merge-key'] ?? '',
    inner: field?.type === 'array' ? field.items : field,
  }
}

function fieldSchema(schema: Schema | undefined, key: string): Schema | undefined {
  const declared = schema?.properties && getOwn(schema.properties, key)
  if (declared !== undefined) return declared
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
}
