/** Ownership of fields: managedFields for every write, and server-side apply. */
export { applyInParts } from './apply.ts'

export { fieldElement, formatElement, indexElement } from './element.ts'
export { fieldsNamed, type FieldSet } from './field-set.ts'

export { TypeMismatch } from './list-items.ts'
export { validateManagedFields } from './managed-fields.ts'
export { mergeValues } from './merge.ts'
export { objectMetaSchema } from './object-meta.ts'
export { atOnce, type Parts } from './parts.ts'

export { revertTimestamps } from './revert-timestamps.ts'

export { trackUpdate, type WriteContext } from './track-update.ts'
export { validateApplied } from './validate.ts'
export { deducedType, rootType, type Type } from './type.ts'
export type { ConvertVersion } from './versions.ts'
