/**
 * The composition engine: pure functions that turn templates and intents into objects, shared by the controllers and `weft render`.
 * No I/O, no clock, no randomness: names and times are arguments. Nothing is mutated, nothing throws: functions answer a Result
 * (but for authoring/, whose reader is an author at work).
 *
 *   fieldpath/   read, write, delete and expand `spec.list[0].name`
 *   transforms/  change a value between reading and writing it
 *   patches/     copy fields from one object to another, and say which patch wrote what
 *   template/    classes and Compositions → ComposedTemplate[] → the object to apply
 *   connection/  select, unite and filter connection details
 *   readiness/   is a member ready, and how many are
 *   references/  find, match and set X / XRef / XSelector
 *   naming/      external names, labels, prefixes of generated names
 *   normalise/   one accessor for each thing that has several spellings
 *   conversion/  definitions and Compositions in Crossplane's words, and back
 *   deletion/    which members of a composite may go next
 *   trace/       the tree intent → composite or group → members, and why it is not ready
 */
export type { Parsed } from './document.ts'
export type { CompositionError, CompositionErrorCode, Result } from './result.ts'

export { type FieldPath, formatFieldPath, MAX_ARRAY_INDEX, MAX_PATH_DEPTH, pathOf, type Segment, WILDCARD } from './fieldpath/path.ts'
export { parseFieldPath } from './fieldpath/parse.ts'
export { expandWildcards, fieldOf, readField } from './fieldpath/read.ts'
export { deleteField, writeField } from './fieldpath/write.ts'

export { applyTransforms, parseTransforms } from './transforms/parse.ts'
export type { Transform, TransformType } from './transforms/transform.ts'

export { applyPatches, type Patched, type PatchObjects, type Provenance, type SkippedPatch } from './patches/apply.ts'
export type { MergePolicy } from './patches/merge.ts'
export { parsePatches, type PatchSets } from './patches/parse.ts'
export { describeInput, type Patch, type PatchInput, type PatchSide } from './patches/patch.ts'

export { parseTemplateSource, TEMPLATE_ADAPTERS, type TemplateAdapter } from './template/adapters.ts'
export { classIdentity, classTemplate } from './template/class-template.ts'
export { readTemplate, type TemplateContext } from './template/parse.ts'
export { render, type Rendered, type RenderOptions, type SecretOptions } from './template/render.ts'
export type { ComposedTemplate, TemplateBase, TemplateSource } from './template/template.ts'

export {
  contractDetails,
  contractErrors,
  type DetailConflict,
  duplicateDetails,
  type MemberDetails,
  uniteDetails,
} from './connection/collect.ts'
export {
  CONNECTION_SECRET_TYPE,
  type DetailValue,
  fromSecretData,
  sameDetails,
  type SecretData,
  textToBase64,
  toBase64,
} from './connection/data.ts'
export { type ConnectionDetail, parseConnectionDetails } from './connection/detail.ts'
export { selectDetails, type SelectedDetails } from './connection/select.ts'

export { parseReadinessChecks, type ReadinessCheck } from './readiness/check.ts'
export {
  conditionOf,
  conditionsOf,
  type Readiness,
  readinessOf,
  type ReadinessOptions,
  type ReadinessSummary,
  summariseReadiness,
} from './readiness/ready.ts'

export { controllerOf, matchesSelector, matchingCandidates } from './references/match.ts'
export { nextStep, type ReferenceStep, withReference, withReferencedValue } from './references/resolve.ts'
export type { ReferenceTarget } from './references/target.ts'
export { type FieldRef, findReferences, MACHINERY_KEYS, type ReferenceField } from './references/walk.ts'

export { adler32 } from './encoding/adler32.ts'
export { contentHash } from './encoding/content-hash.ts'
export * from './naming/annotations.ts'
export { bindableAnnotation, isBindableBy } from './naming/bindable.ts'
export { externalName, provisionedExternalName, requestedExternalName } from './naming/external-name.ts'
export { claimLabels, compositeLabels, labelValue } from './naming/labels.ts'
export { composedNamePrefix, intentNamePrefix } from './naming/member-name.ts'

export { patchesOf, specTemplateOf } from './normalise/class.ts'
export { machineryOf, type MachineryPlace, machineryRef, type ObjectRef, sameReference, singleReference } from './normalise/reference.ts'
export { ANY_OBJECT, definitionSchema, definitionVersions, normaliseSchema } from './normalise/schema.ts'
export { connectionSecretRef, type SecretRef, secretRefOf, withConnectionSecretRef } from './normalise/secret-ref.ts'

export type { TraceCondition, TraceNode, TraceRef, TraceRelation } from './trace/node.ts'
export { childrenOf, ownerOf, type TracedChild } from './trace/relations.ts'
export { type OwnState, ownState, type Traced, traceKey, type TraceLookup, traceTree } from './trace/trace.ts'

export { AuthoringError } from './authoring/authoring-error.ts'
export { type Composition, type CompositionOptions, defineComposition } from './authoring/define-composition.ts'
export {
  type Audience,
  defineFunction,
  desired,
  type DesiredFields,
  type DesiredResource,
  type FunctionAnswer,
  type Given,
  type RequiredResources,
  type RunFunction,
} from './authoring/define-function.ts'
export { at, each, type Field, type Fields, type Readable, type Side, type Writable } from './authoring/fields.ts'
export { type AuthoredPatch, combine, type Flow, from, type MergeChoice } from './authoring/flow.ts'
export { type Kind, type Metadata, type Resource, untyped, type UntypedResource } from './authoring/kind.ts'
export {
  alwaysReady,
  type AuthoredReadinessCheck,
  type Base,
  type ComposedResource,
  type DetailSource,
  fieldValue,
  fixedValue,
  readyOn,
  readyWhen,
  resource,
  secretKey,
  type Wiring,
} from './authoring/resource.ts'
export { type TypedKind, typeSource } from './authoring/type-source.ts'

export { DELETION_ORDER, type DeletionOrder, deletionOrderOf, nextToGo, type RankedMember } from './deletion/deletion-order.ts'

export { type Conversion, convertObjects, sideOf } from './conversion/conversion.ts'
export type { Loss } from './conversion/loss.ts'
export type { Side as ConversionSide } from './conversion/machinery.ts'
