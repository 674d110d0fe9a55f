import type { GroupKind } from './gvk.ts'
import type { JsonObject, KubeObject } from './meta.ts'

/**
 * What a control plane answers about the kinds of Terraform providers, beside its API: it alone runs the programs that know. Nothing of it writes
 * anything. RBAC knows these as non-resource URLs; a plan is only made for those who could write the object itself.
 */
export const TERRAFORM_PATHS = {
  /** POST PlanQuestion, answered by PlanAnswer: what a provider would do. */
  plan: '/weft/terraform/plan',
  /** POST StatesQuestion, answered by StatesAnswer: states of a state file in the words of kinds. */
  states: '/weft/terraform/states',
  /** GET; with the name of a ManagedResourceDefinition behind it, answered by the definition with its schema, active or not. */
  definitions: '/weft/terraform/definitions',
} as const

/** What is asked at one of these paths. */
export interface TerraformQuestion {
  readonly path: string
  /** None: it is read. */
  readonly body?: unknown
}

/** A review on a server that has no such paths; see the kind. */
export interface TerraformReview extends KubeObject {
  readonly spec?: { readonly question?: string; readonly publicKey?: string }
  readonly status?: { readonly publicKey?: string; readonly answer?: string }
}

export const TERRAFORM_REVIEWS = { group: 'weft.dev', version: 'v1alpha1', plural: 'terraformreviews' } as const

export interface PlanQuestion {
  /** As they would be. Texts that `unknown` is part of stand for what nobody can know yet. */
  readonly resources: readonly KubeObject[]
  readonly unknown?: readonly string[] | undefined
}

export interface PlanAnswer {
  /** In the order of the question. */
  readonly plans: readonly ProviderPlan[]
}

/** What a provider would do about one resource, or why that cannot be told. */
export type ProviderPlan =
  | {
      readonly action: 'none' | 'create' | 'update' | 'replace'
      /** What would be different, in the words of `spec.forProvider` and `status.atProvider`. Nothing sensitive. */
      readonly fields: readonly ProviderChange[]
      /** Of a replacement: the fields that cannot be changed in place. */
      readonly causes: readonly string[]
      /** What the provider warns of. */
      readonly warnings: readonly string[]
    }
  | { readonly action: 'unknown'; readonly why: string }

/** The plan in a sentence. */
export function describeProviderPlan(plan: ProviderPlan): string {
  switch (plan.action) {
    case 'none':
      return 'the provider would change nothing'
    case 'create':
      return 'the provider would create it'
    case 'update':
      return 'the provider would change it in place'
    case 'replace':
      return `the provider cannot change ${plan.causes.join(', ')} in place: the existing resource would have to be deleted and created again, which has to be allowed first`
    case 'unknown':
      return `what the provider would do is not known: ${plan.why}`
    default:
      return plan satisfies never
  }
}

export interface ProviderChange {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

export interface StatesQuestion {
  readonly states: readonly StateQuestion[]
}

export interface StateQuestion {
  /** Of the ManagedResourceDefinition. */
  readonly definition: string
  readonly schemaVersion: number
  /** The attributes as JSON: `stored` as state files have them, `plain` without types. */
  readonly json: string
  readonly form: 'stored' | 'plain'
}

export interface StatesAnswer {
  /** In the order of the question. */
  readonly states: readonly StateAnswer[]
}

export type StateAnswer =
  | {
      /** The state as it is kept, by the schema that the provider has now. */
      readonly state: { readonly version: number; readonly json: string }
      readonly externalName: string | undefined
      readonly forProvider: JsonObject
      /** What `forProvider` takes from Secrets, by key: where the reference goes, and the value. */
      readonly secrets: readonly { readonly at: readonly (string | number)[]; readonly key: string; readonly value: string }[]
      /** Fields that can be filled from other objects. */
      readonly references: readonly StateReference[]
      readonly atProvider: JsonObject
      /** What could not be taken over, in sentences. */
      readonly notes: readonly string[]
    }
  | { readonly problem: string }

export interface StateReference {
  /** The object that holds the field, from `forProvider`. */
  readonly at: readonly (string | number)[]
  readonly field: string
  readonly refField: string
  readonly many: boolean
  readonly kinds: readonly GroupKind[]
  /** Of `status.atProvider` of what it refers to. */
  readonly attribute: string
}
