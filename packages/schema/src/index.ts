/**
 * Structural schemas as Kubernetes has them: what a CustomResourceDefinition may say (`crd/`, `structure/`), and what that means for an object: prune, default
 * (`transform/`), validate (`validate/`, rules in CEL), show (`jsonpath/`, `openapi/`). Pure.
 */
export { type CompiledSchema, type CompileOptions, compileSchema, type ValidateOptions } from './compile.ts'
export { type Coerced, type CoerceOptions } from './transform/coerce.ts'
export { decodeObjectMeta, validateObjectMeta } from './object-meta.ts'
export { enforcedFormat } from './formats/formats.ts'
export type { PruneOptions } from './transform/prune.ts'
export { type CompiledRules, hasRules, type RuleCheck, type RuleCompiler, type RuleOptions } from './rules.ts'
export { RecentValues } from './recent-values.ts'
export { nonStructuralReasons } from './structure/structural.ts'
export { isCaBundle } from './crd/conversion.ts'
export { approvalOf, type Approval, type ApprovalState, isProtectedGroup } from './crd/approval.ts'
export { decodeCrd, type DecodedCrd } from './crd/decode.ts'
export { defaultCrd } from './crd/defaults.ts'
export { crdFaults } from './crd/faults.ts'
export type * from './crd/types.ts'
export { type CrdOptions, validateCrdSpec } from './crd/validate.ts'
export { type FieldPathOptions, type ResolvedField, resolveFieldPath } from './structure/field-path.ts'
export type { Mismatch } from './shape.ts'
export { columnCell, compileJsonPath, type JsonPath, printResult } from './jsonpath/jsonpath.ts'
export type { Evaluation } from './jsonpath/evaluate.ts'
export { modelName, type OpenApiDialect, type OpenApiSchema, type PublishedKind, publishKind, toOpenApiSchema } from './openapi/openapi.ts'
