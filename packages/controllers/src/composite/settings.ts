import { deepEqual } from '@weft/api'
import type { Impersonation } from '@weft/client'
import type { CompositeDefinition } from '../definition/kinds.ts'

/** What a definition says about how its instances are composed. */
export interface CompositeSettings {
  readonly definition: string
  readonly forceComposition: string | undefined
  readonly defaultComposition: string | undefined
  /** C16. Undefined: no contract; everything that templates expose is published. */
  readonly connectionDetails: readonly string[] | undefined
  /** C13: composing acts as this account. */
  readonly account: Impersonation | undefined
}

export function settingsOf({ metadata, spec }: CompositeDefinition): CompositeSettings {
  return {
    definition: metadata.name ?? '',
    forceComposition: nonEmpty(spec.forceComposition?.name),
    defaultComposition: nonEmpty(spec.defaultComposition?.name),
    connectionDetails: spec.connectionDetails,
    account: accountOf(spec.serviceAccountRef),
  }
}

export const sameSettings = (a: CompositeSettings, b: CompositeSettings): boolean => deepEqual(a, b)

function accountOf(ref: { readonly namespace?: string; readonly name?: string } | undefined): Impersonation | undefined {
  const name = nonEmpty(ref?.name)
  if (name === undefined) return undefined
  const namespace = nonEmpty(ref?.namespace) ?? 'crossplane-system'
  // The server adds the groups of a service account; naming them would take the right to act as members of any group.
  return { username: `system:serviceaccount:${namespace}:${name}` }
}

const nonEmpty = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text)
