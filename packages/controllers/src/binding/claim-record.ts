import { getOwn, isJsonObject, type KubeObject, withMeta } from '@weft/api'
import { type ObjectRef, singleReference } from '@weft/composition'

/**
 * On composite resources: who claims them, and on what terms, as JSON. Managed resources say so in their spec and status; the kinds of composite resources are
 * Crossplane's word for word, and have no fields for it.
 */
export const CLAIM_RECORD = 'weft.dev/claim'

export interface ClaimRecord {
  readonly claimRef?: ObjectRef | undefined
  readonly classRef?: ObjectRef | undefined
  readonly reclaimPolicy?: string | undefined
  readonly bindingPhase?: string | undefined
}

/** Undefined: there is none. What cannot be read says that somebody has it, and not who: it is not for anybody else. */
export function claimRecordOf({ metadata }: KubeObject): ClaimRecord | undefined {
  const text = getOwn(metadata.annotations ?? {}, CLAIM_RECORD)
  if (typeof text !== 'string') return undefined
  const given = parse(text)
  if (given === undefined) return { claimRef: {} }
  const [claimRef, classRef] = ['claimRef', 'classRef'].map((field) => singleReference(getOwn(given, field), field))
  const policy = getOwn(given, 'reclaimPolicy')
  const phase = getOwn(given, 'bindingPhase')
  return {
    claimRef: claimRef?.ok === true ? claimRef.value : {},
    classRef: classRef?.ok === true ? classRef.value : undefined,
    reclaimPolicy: typeof policy === 'string' ? policy : undefined,
    bindingPhase: typeof phase === 'string' ? phase : undefined,
  }
}

/** The object with these parts of its record; undefined removes one. */
export const withClaimRecord = (object: KubeObject, changes: ClaimRecord): KubeObject =>
  withMeta(object, {
    annotations: { ...object.metadata.annotations, [CLAIM_RECORD]: JSON.stringify({ ...claimRecordOf(object), ...changes }) },
  })

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
