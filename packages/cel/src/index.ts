/**
 * The Common Expression Language as Kubernetes speaks it: parse, check, estimate, evaluate within a budget. Pure; imported by `schema`, the server's
 * admission and whoever lets users write expressions.
 */
export { configurationOf, operationsOf } from './admission/patch-values.ts'
export { PolicyEvaluation, PolicyScope, type PolicyInput, type PolicyScopeOptions } from './admission/policy.ts'
export type { SizeHints } from './cost/estimator.ts'
export type { Interval } from './cost/interval.ts'
export { Environment, KUBERNETES_ENVIRONMENT, type EnvironmentOptions } from './environment.ts'
export { bindValue } from './eval/bind.ts'
export { CelCostExceeded, CelRuntimeError } from './eval/fault.ts'
export { toJson } from './eval/to-json.ts'
export { Double, Duration, ListValue, MapValue, OptionalValue, Timestamp, TypeValue, Uint, type Int, type Value } from './eval/value.ts'
export type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from './library/authorizer.ts'
export { BINDINGS } from './library/bindings.ts'
export { ENCODERS } from './library/encoders.ts'
export { KUBERNETES_LIBRARIES } from './library/kubernetes.ts'
export type { FunctionDecl, Library, Overload } from './library/library.ts'
export { MATH } from './library/math.ts'
export { OPTIONALS } from './library/optionals.ts'
export { PATCH_OBJECT, PATCH_OPERATION } from './library/patches.ts'
export { STRINGS } from './library/strings.ts'
export { TWO_VARIABLE_COMPREHENSIONS } from './library/two-variables.ts'
export { compile, type Bindings, type CompileOptions, type CompileResult, type EvaluateOptions, type Program } from './program.ts'
export type { RuleCheck } from './rules/check-rules.ts'
export { compileRules, type CompiledRules, type CompileRulesOptions } from './rules/compile-rules.ts'
export {
  MATCH_CONDITIONS_BUDGET,
  OBJECT_BUDGET,
  PER_CALL_LIMIT,
  STATIC_COST_LIMIT,
  STATIC_TOTAL_LIMIT,
  costMessage,
} from './rules/limits.ts'
export type { ValidateOptions } from './rules/validate-rules.ts'
export { formatIssues, type Issue } from './syntax/source.ts'
export { declTypeFromSchema, sizeHints, type DeclType, type DeclTypeOptions } from './types/decl-type.ts'
export { escapeName } from './types/escape.ts'
export {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  NULL,
  STRING,
  TIMESTAMP,
  UINT,
  formatType,
  listType,
  mapType,
  objectType,
  opaqueType,
  optionalType,
  type CelType,
  type ObjectType,
} from './types/type.ts'
