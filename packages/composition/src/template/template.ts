import type { KubeObject, Labels } from '@weft/api'
import type { ConnectionDetail } from '../connection/detail.ts'
import type { Patch } from '../patches/patch.ts'
import type { ReadinessCheck } from '../readiness/check.ts'

/**
 * One resource to be composed, whatever kind of document it came from. Every template source is normalised to a list of these; nothing
 * after that knows which design (000 to 003, or a later one) it serves.
 */
export interface ComposedTemplate {
  /**
   * Matches a template to the member made from it, over the lifetime of the whole: the position in the list (001, 002), the class
   * (000), or the author's name. Unique within its source.
   */
  readonly identity: string
  /** Where it stood in its document, for messages: `spec.to[1]`. */
  readonly origin: string
  /** What patches start from. Its metadata holds labels and annotations only: nothing else is used (F7). */
  readonly base: TemplateBase
  readonly patches: readonly Patch[]
  readonly connectionDetails: readonly ConnectionDetail[]
  readonly readinessChecks: readonly ReadinessCheck[]
  /**
   * The namespace that the base's metadata asked for. Rendering ignores it (F7); an application refuses one that is not its own
   * (C11) rather than putting the resource somewhere its author did not mean.
   */
  readonly requestedNamespace?: string
  /** Prepended to the member's connection keys where they are collected (A21). */
  readonly keyPrefix?: string
}

export interface TemplateBase extends KubeObject {
  readonly metadata: { readonly labels?: Labels; readonly annotations?: Readonly<Record<string, string>> }
}

/** A class or a Composition, read. */
export interface TemplateSource {
  /** The kind of intent it is for: `spec.claim` (F3), `spec.from` (C1). Absent: not bound to one kind. */
  readonly intent?: { readonly apiVersion: string; readonly kind: string }
  readonly templates: readonly ComposedTemplate[]
  /** Where composites without a secret reference of their own publish (B38). */
  readonly secretNamespace?: string
}
