import { badRequest, type FieldRequirement, type KubeObject, matchesFields, matchesLabels } from '@weft/api'
import type { ResourceType } from '../../registry/index.ts'
import type { ListOptions } from '../options.ts'

export type ObjectFilter = (object: KubeObject) => boolean

/** The predicate of a list or watch; undefined when everything matches, so that callers can skip decoding. */
export function filterOf(type: ResourceType, { labels, fields }: Pick<ListOptions, 'labels' | 'fields'>): ObjectFilter | undefined {
  for (const { field } of fields) assertSelectable(type, field)
  if (labels.length === 0 && fields.length === 0) return undefined
  return (object) => matchesLabels(labels, object.metadata.labels) && matchesFields(fields, (field) => fieldValue(type, object, field))
}

/** The single name a field selector asks for, if it does. */
export function nameIn(fields: readonly FieldRequirement[]): string | undefined {
  return fields.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value
}

function fieldValue(type: ResourceType, object: KubeObject, field: string): string {
  if (field === 'metadata.name') return object.metadata.name ?? ''
  if (field === 'metadata.namespace') return object.metadata.namespace ?? ''
  return type.selectableFields.get(field)?.(object) ?? ''
}

/** Built-in kinds with fields of their own speak of labels, the others of selectors. */
function assertSelectable(type: ResourceType, field: string): void {
  if (field === 'metadata.name' || field === 'metadata.namespace' || type.selectableFields.has(field)) return
  const known = type.selectableFields.size > 0 || type.custom
  throw badRequest(
    known
      ? `field label not supported: ${field}`
      : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  )
}
