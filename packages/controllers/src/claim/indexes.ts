import { formatGroupKind, getOwn, type GroupKind, type KubeObject } from '@weft/api'
import type { IndexFunction } from '@weft/client'
import { CLAIM_UID_LABEL, type ObjectRef } from '@weft/composition'
import { heldRef, kindOfRef, specRef } from '../binding/spec-reference.ts'
import { wishOf } from './wish.ts'

/** How claims are found from what they refer to. The names are ours alone: informers are shared. */
export const BY_RESOURCE = 'weft.claim/resource'
export const BY_CLASS = 'weft.claim/class'
export const BY_WISH = 'weft.claim/wish'
export const BY_UID = 'weft.claim/uid'
/** Of managed resources: the uid of the claim that they were made for. */
export const BY_CLAIM_UID = 'weft.member/claim-uid'

/** Of managed resources and groups: the uid of the claim that has them. */
export const BY_CLAIMANT = 'weft.member/claimant'

/** `SQLServer.database.azure.crossplane.io/default-sql-d82nd` */
export const refKey = (kind: GroupKind, name: string): string => `${formatGroupKind(kind)}/${name}`

const keysOfRef = (ref: ObjectRef | undefined): readonly string[] => {
  const kind = kindOfRef(ref)
  return kind === undefined || ref?.name === undefined ? [] : [refKey(kind, ref.name)]
}

export const CLAIM_INDEXES: Readonly<Record<string, IndexFunction>> = {
  [BY_RESOURCE]: (claim) => keysOfRef(specRef(claim, 'resourceRef')),
  [BY_CLASS]: (claim) => keysOfRef(specRef(claim, 'classRef')),
  [BY_WISH]: (claim) => [wishOf(claim).type],
  [BY_UID]: ({ metadata }) => (metadata.uid === undefined ? [] : [metadata.uid]),
}

/** Of everything that a claim may have: found again by the uid of its claim, whatever became of the reference to it. */
export const HOLDING_INDEXES: Readonly<Record<string, IndexFunction>> = {
  [BY_CLAIMANT]: (object) => {
    const uid = heldRef(object, 'claimRef')?.uid
    return uid === undefined || uid === '' ? [] : [uid]
  },
}

export const MEMBER_INDEXES: Readonly<Record<string, IndexFunction>> = {
  ...HOLDING_INDEXES,
  [BY_CLAIM_UID]: ({ metadata }: KubeObject) => {
    const uid = getOwn(metadata.labels ?? {}, CLAIM_UID_LABEL)
    return typeof uid === 'string' && uid !== '' ? [uid] : []
  },
}
