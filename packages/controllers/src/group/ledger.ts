import { deepEqual, getOwn, type KubeObject, parseGroupVersion, statusOf } from '@weft/api'
import { classIdentity, type ObjectRef, singleReference } from '@weft/composition'
import { referenceTo } from '../binding/claimant.ts'
import type { MemberTemplate } from '../claim/class-source.ts'
import type { GroupKindAdapter } from './group-kind.ts'

/**
 * A member as its group lists it. It is written down, with its name, before the member is made (X2), together with what it is made from: that is how the group
 * knows, after a crash or in another process, which members are still to be made and which are not to be made twice (A14).
 */
export interface LedgerEntry {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** Absent until the member was seen. */
  readonly uid?: string
  readonly bindingPhase?: string
  /** 000: the class it is made from. */
  readonly classRef?: ObjectRef
  /** 001: the template it is made from. */
  readonly template?: string
}

export function ledgerOf(group: KubeObject, { ledger }: GroupKindAdapter): readonly LedgerEntry[] {
  const entries = getOwn(statusOf(group), ledger)
  if (!Array.isArray(entries)) return []
  return entries.flatMap((raw: unknown) => {
    const ref = singleReference(raw, ledger)
    if (!ref.ok || ref.value?.apiVersion === undefined || ref.value.kind === undefined || ref.value.name === undefined) return []
    return [raw as LedgerEntry]
  })
}

/** The entry of a member that is to be made. */
export function plannedEntry({ template, classObject }: MemberTemplate, name: string, { membersHaveClass }: GroupKindAdapter): LedgerEntry {
  const { apiVersion, kind } = template.base
  return { apiVersion, kind, name, ...(membersHaveClass ? { classRef: referenceTo(classObject) } : { template: template.identity }) }
}

/** Is this the entry of the member that the template makes? */
export function isEntryOf(entry: LedgerEntry, { template, classObject }: MemberTemplate, { membersHaveClass }: GroupKindAdapter): boolean {
  if (!membersHaveClass) return entry.template === template.identity
  return entry.classRef !== undefined && identityOfRef(entry.classRef) === classIdentity(classObject)
}

const identityOfRef = ({ apiVersion = '', kind = '', name = '' }: ObjectRef): string => {
  const { group } = parseGroupVersion(apiVersion)
  return `${group === '' ? kind : `${kind}.${group}`}/${name}`
}

/** The entry of a member that exists. */
export const observedEntry = (entry: LedgerEntry, member: KubeObject, bindingPhase: string): LedgerEntry => {
  const { uid } = member.metadata
  const next = { ...entry, ...(uid !== undefined && { uid }), bindingPhase }
  return deepEqual(next, entry) ? entry : next
}

export const entryName = ({ kind, name }: LedgerEntry): string => `${kind}/${name}`
