import type { KubeObject, LabelSelector } from '@weft/api'
import type { MatchCondition } from '../expressions/match-conditions.ts'
import type { MatchResources } from '../matching/criteria.ts'

/** `admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy`. */
export interface Policy extends KubeObject {
  readonly spec?: PolicySpec
}

/** What validating and mutating policies have in common. */
export interface SharedSpec {
  readonly paramKind?: ParamKind
  readonly matchConstraints?: MatchResources
  readonly failurePolicy?: string
  readonly matchConditions?: readonly MatchCondition[]
  readonly variables?: readonly { readonly name: string; readonly expression: string }[]
}

export interface PolicySpec extends SharedSpec {
  readonly validations?: readonly Validation[]
  readonly auditAnnotations?: readonly AuditAnnotation[]
}

/** `admissionregistration.k8s.io/v1 MutatingAdmissionPolicy`. */
export interface MutatingPolicy extends KubeObject {
  readonly spec?: MutatingPolicySpec
}

export interface MutatingPolicySpec extends SharedSpec {
  readonly mutations?: readonly Mutation[]
  readonly reinvocationPolicy?: string
}

export interface Mutation {
  readonly patchType: string
  readonly applyConfiguration?: { readonly expression?: string }
  readonly jsonPatch?: { readonly expression?: string }
}

export interface ParamKind {
  readonly apiVersion: string
  readonly kind: string
}

export interface Validation {
  readonly expression: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
}

export interface AuditAnnotation {
  readonly key: string
  readonly valueExpression: string
}

/** `admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding`, or that of a mutating policy. */
export interface PolicyBinding extends KubeObject {
  readonly spec?: BindingSpec
}

export interface BindingSpec {
  readonly policyName: string
  readonly paramRef?: ParamRef
  readonly matchResources?: MatchResources
  readonly validationActions?: readonly string[]
}

export interface ParamRef {
  readonly name?: string
  readonly namespace?: string
  readonly selector?: LabelSelector
  readonly parameterNotFoundAction?: string
}
