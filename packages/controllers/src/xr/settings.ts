import { type CompositeResourceDefinition, referenceable, scopeOf, type XrScope } from '../xrd/xrd.ts'

/** What a definition says about how its composite resources are composed. */
export interface XrSettings {
  readonly scope: XrScope
  readonly enforced: string | undefined
  readonly fallback: string | undefined
  readonly revisionLabels: Readonly<Record<string, string>> | undefined
  /** Keys that are published; all unless given. */
  readonly connectionKeys: readonly string[]
  /** Its status has `lastHandledReconcileAt`. */
  readonly keepsRequests: boolean
}

export const xrSettings = (xrd: CompositeResourceDefinition): XrSettings => ({
  scope: scopeOf(xrd),
  enforced: xrd.spec.enforcedCompositionRef?.name,
  fallback: xrd.spec.defaultCompositionRef?.name,
  revisionLabels: xrd.spec.defaultCompositionRevisionSelector?.matchLabels,
  connectionKeys: xrd.spec.connectionSecretKeys ?? [],
  keepsRequests: referenceable(xrd)?.schema?.openAPIV3Schema?.properties?.['status']?.properties?.['lastHandledReconcileAt'] !== undefined,
})
