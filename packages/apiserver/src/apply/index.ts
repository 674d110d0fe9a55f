/** Ownership of fields: managedFields for every write, and server-side apply. */
export { applyInParts } from './apply.ts'

export { fieldElement, formatElement, indexElement } from './fields/element.ts'
export { fieldsNamed, type FieldSet } from './fields/field-set.ts'

export { sharedFields } from './fields/shared-fields.ts'

export { TypeMismatch } from './typed/list-items.ts'
export { validateManagedFields } from './managed-fields.ts'
export { mergeValues } from './typed/merge.ts'
export { objectMetaSchema } from './typed/object-meta.ts'
export { atOnce, type Parts } from './parts.ts'

export { revertTimestamps } from './revert-timestamps.ts'

export { trackUpdate, type WriteContext } from './track-update.ts'
export { validateApplied } from './typed/validate.ts'
export { deducedType, rootType, type Type } from './typed/type.ts'
export type { ConvertVersion } from './versions.ts'
