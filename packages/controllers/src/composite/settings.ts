import { SYSTEM_NAMESPACE } from '@weft/api'
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

export function settingsOf(given: CompositeDefinition): CompositeSettings {
  const { metadata, spec } = given
  return {
    definition: metadata.name ?? '',
    forceComposition: nonEmpty(spec.forceComposition?.name),
    defaultComposition: nonEmpty(spec.defaultComposition?.name),
    connectionDetails: spec.connectionDetails,
    account: accountOf(given),
  }
}

/** The account that `serviceAccountRef` of a definition stands for (C13). */
export function serviceAccountOf({
  spec: { serviceAccountRef: ref },
}: Pick<CompositeDefinition, 'spec'>): { readonly namespace: string; readonly name: string } | undefined {
  const name = nonEmpty(ref?.name)
  return name === undefined ? undefined : { name, namespace: nonEmpty(ref?.namespace) ?? SYSTEM_NAMESPACE }
}

function accountOf(definition: Pick<CompositeDefinition, 'spec'>): Impersonation | undefined {
  const account = serviceAccountOf(definition)
  if (account === undefined) return undefined
  const { namespace, name } = account
  // The server adds the groups of a service account; naming them would take the right to act as members of any group.
  return { username: `system:serviceaccount:${namespace}:${name}` }
}

const nonEmpty = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text)
