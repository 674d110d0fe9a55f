import { sha256 } from '@noble/hashes/sha2.js'
import type { KubeObject, Labels } from '@weft/api'
import { toHex, utf8Bytes } from '../encoding/text.ts'
import {
  CLAIM_NAME_LABEL,
  CLAIM_NAMESPACE_LABEL,
  CLAIM_UID_LABEL,
  COMPOSITE_LABEL,
  REQUIREMENT_NAME_LABEL,
  REQUIREMENT_NAMESPACE_LABEL,
} from './annotations.ts'

const MAX_LABEL = 63
const HASH = 10

/**
 * `text` as a label value. Names may have 253 characters, label values 63: what is longer is cut and gets a hash of the whole, so that
 * two long names stay apart. The same text always gives the same value.
 */
export function labelValue(text: string): string {
  if (text.length <= MAX_LABEL) return text
  return `${text.slice(0, MAX_LABEL - HASH - 1)}-${toHex(sha256(utf8Bytes(text))).slice(0, HASH)}`
}

/** A7, F13: the labels of everything that is provisioned for a claim. The uid alone decides; the others are for people. */
export function claimLabels({ metadata }: Pick<KubeObject, 'metadata'>): Labels {
  return {
    [CLAIM_NAMESPACE_LABEL]: labelValue(metadata.namespace ?? ''),
    [CLAIM_NAME_LABEL]: labelValue(metadata.name ?? ''),
    [CLAIM_UID_LABEL]: metadata.uid ?? '',
  }
}

/** The labels of what a composite composes; with the requirement it is bound to, if any. */
export function compositeLabels(compositeName: string, requirement?: { readonly namespace: string; readonly name: string }): Labels {
  return {
    [COMPOSITE_LABEL]: labelValue(compositeName),
    ...(requirement && {
      [REQUIREMENT_NAMESPACE_LABEL]: labelValue(requirement.namespace),
      [REQUIREMENT_NAME_LABEL]: labelValue(requirement.name),
    }),
  }
}
