import type { Client } from '@weft/client'
import type { KubeObject, ProviderPlan } from '@weft/api'
import type { TraceRef } from '@weft/composition'

/** What somebody is about to do. */
export interface Change {
  /** Objects to apply, in this order; those of kinds that the others define wait for them. */
  readonly apply?: readonly KubeObject[] | undefined
  readonly delete?: readonly TraceRef[] | undefined
}

export interface PlanOptions {
  /** As which the objects would be applied; fields that it owned and no longer gives are removed. */
  readonly fieldManager?: string | undefined
  /** Would fields be taken over from others? */
  readonly force?: boolean | undefined
  /** Of objects that name none. */
  readonly namespace?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Reads the world, with the same rights; `client` unless told. For those whose client tells a user what the server warns of: reading everything is no reason to. */
  readonly reader?: Client | undefined
  readonly programs?: ProgramsAsked | undefined
}

/**
 * Functions that are programs under development, at the addresses that their Functions say. `none`, unless told: this is another machine than the control
 * plane's, where something else may listen there; the control plane asks those that are installed. `any`: they are asked from here, also at an address
 * that a change brings, since whoever plans may open connections from this machine anyway.
 */
export type ProgramsAsked = 'none' | 'any'

/** All that would change, down to the managed resources: each object of the change, followed by what hangs below it. */
export interface Plan {
  readonly changes: readonly PlannedChange[]
  /** What would not work, what is a random choice, and what the plan cannot know, in sentences. */
  readonly warnings: readonly string[]
}

export interface PlannedChange {
  /** `keep`: it would be expected to go, and stays. */
  readonly action: 'create' | 'update' | 'delete' | 'keep'
  /** The name of something that does not exist yet ends in `(generated)` where the server makes it up. */
  readonly object: TraceRef
  /** How far below an object of the change: 0 for that itself. */
  readonly depth: number
  /** In a sentence, where it is not obvious. */
  readonly why?: string
  /** Without what the server fills in and without status; absent with create and delete respectively. */
  readonly before?: KubeObject
  readonly after?: KubeObject
  /** Of a create and an update: field by field, without what `object` says already. */
  readonly fields?: readonly FieldChange[]
  /** The external name of what would be destroyed, its data included: the object is deleted together with it, or has to be replaced. */
  readonly destroys?: string
  /** What its provider would do, where that plans before it acts: what was asked for is one thing, what it takes another. */
  readonly provider?: ProviderPlan
}

export interface FieldChange {
  /** `spec.forProvider.size`; `spec.rules[name=web].port` in a list whose elements have names of their own. */
  readonly path: string
  /** Absent: the field is added, respectively removed. */
  readonly before?: unknown
  readonly after?: unknown
  /** The control plane keeps it for itself; nobody wrote it by hand. */
  readonly bookkeeping?: true
}

/** Stands for what only the server or the external system can tell. */
export const KNOWN_AFTER_APPLY = '(known after apply)'

/** There is no plan: the change would be refused. The message names the object and says why. */
export class PlanError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PlanError'
  }
}
