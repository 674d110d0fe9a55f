/** Ownership of fields: managedFields for every write, and server-side apply. */
export { apply, applyInParts, type ApplyRequest } from './apply.ts'
export { compareObjects, type Comparison } from './compare.ts'
export { type PathElement, fieldElement, formatElement, formatPath, indexElement, keyElement, valueElement } from './element.ts'
export {
  difference,
  differenceWithChildren,
  EMPTY_SET,
  equalSets,
  fieldsNamed,
  type FieldSet,
  formatPaths,
  hasPath,
  intersection,
  isEmptySet,
  pathsOf,
  setOfPaths,
  union,
} from './field-set.ts'
export { decodeFieldsV1 } from './fields-v1.ts'
export { lastAppliedAnnotation } from './last-applied.ts'
export { TypeMismatch } from './list-items.ts'
export { decodeManagedFields, type ManagedSet, type Managers, validateManagedFields } from './managed-fields.ts'
export { mergeValues } from './merge.ts'
export { objectMetaSchema } from './object-meta.ts'
export { atOnce, type Parts } from './parts.ts'
export { extractPaths, removePaths } from './remove.ts'
export { revertTimestamps } from './revert-timestamps.ts'
export { fieldSetOf } from './to-field-set.ts'
export { trackUpdate, type UpdateRequest, type WriteContext } from './track-update.ts'
export { validateApplied } from './validate.ts'
export { deducedType, rootType, type Type, type TypeOptions } from './type.ts'
export type { ConvertVersion } from './versions.ts'
