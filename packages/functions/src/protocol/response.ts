import type { State } from './state.ts'
import type { Struct } from './struct.ts'

export interface ResponseMeta {
  readonly tag?: string
  /** How long the answer holds, as text: "60s", "0.500s". Absent: nobody knows. */
  readonly ttl?: string
}

export type Severity = 'SEVERITY_FATAL' | 'SEVERITY_WARNING' | 'SEVERITY_NORMAL'

/** Whom a result or condition is for. Absent: the composite alone. */
export type Target = 'TARGET_UNSPECIFIED' | 'TARGET_COMPOSITE' | 'TARGET_COMPOSITE_AND_CLAIM'

export interface FunctionResult {
  /** Absent: the function said none, which counts as a warning. */
  readonly severity?: Severity
  readonly message?: string
  readonly reason?: string
  readonly target?: Target
}

export interface FunctionCondition {
  readonly type?: string
  readonly status?: 'STATUS_CONDITION_UNKNOWN' | 'STATUS_CONDITION_TRUE' | 'STATUS_CONDITION_FALSE'
  readonly reason?: string
  readonly message?: string
  readonly target?: Target
}

/** At most one of `matchName` and `matchLabels`; with neither, every object of the kind. */
export interface ResourceSelector {
  readonly apiVersion?: string
  readonly kind?: string
  readonly matchName?: string
  readonly matchLabels?: { readonly labels?: Readonly<Record<string, string>> }
  readonly namespace?: string
}

export interface SchemaSelector {
  readonly apiVersion?: string
  readonly kind?: string
}

/** What the function must see before its answer counts. Present and empty differs from absent. */
export interface Requirements {
  readonly extraResources?: Readonly<Record<string, ResourceSelector>>
  readonly resources?: Readonly<Record<string, ResourceSelector>>
  readonly schemas?: Readonly<Record<string, SchemaSelector>>
}

/** What a function answers: RunFunctionResponse in the shape of its JSON form, as RunFunctionRequest is. */
export interface RunFunctionResponse {
  readonly meta?: ResponseMeta
  readonly desired?: State
  readonly results?: readonly FunctionResult[]
  readonly context?: Struct
  readonly requirements?: Requirements
  readonly conditions?: readonly FunctionCondition[]
  /** Of operations only. */
  readonly output?: Struct
}
