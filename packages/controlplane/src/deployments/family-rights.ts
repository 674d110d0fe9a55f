import type { Client } from '@weft/client'
import { isActiveRevision, providerRevisionKind, type RevisionObject } from '@weft/controllers'
import type { Package } from '@weft/xpkg'
import { familyOf, labelledFamily } from '../programs/provider-family.ts'
import { sharedBinding, sharedRole } from './provider-roles.ts'

interface Member {
  readonly revision: RevisionObject
  readonly contents: Package
  /** The account of a revision's pods. */
  readonly accountOf: (revision: RevisionObject) => string
  readonly apply: { readonly fieldManager: string; readonly force: boolean }
}

/**
 * Of a family of providers each has rights on the kinds of the others. Weft may not write roles that add up others in a cluster, so each shares its kinds in a role of its own, which is bound
 * to the accounts of all. Whoever comes adds itself to what the others share; what a revision shares goes with it. Called on every pass: who came at the same moment is seen by the next.
 */
export async function shareInFamily(client: Client, { revision, contents, accountOf, apply }: Member): Promise<void> {
  const family = familyOf(revision, contents)
  if (family === undefined) return
  await client.apply(sharedRole(revision, contents), apply)
  const members = (await client.list(providerRevisionKind)).items.filter(
    (each) => isActiveRevision(each) && (each.metadata.uid === revision.metadata.uid || labelledFamily(each) === family),
  )
  const accounts = members.map(accountOf).toSorted()
  for (const member of members) await client.apply(sharedBinding(member, accounts), apply)
}
