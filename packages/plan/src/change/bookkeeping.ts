import { PAUSED } from '@weft/api'
import { ADOPT, DELETION_ORDER, EXTERNAL_NAME, type Segment } from '@weft/composition'

/** References by which the control plane remembers what it made for whom; the tree of a plan shows the same. */
const REFERENCES = new Set([
  'claimRef',
  'resourceRef',
  'resourceRefs',
  'requirementRef',
  'composedRefs',
  'aggregatedResources',
  'writeConnectionSecretToRef',
])
/** Where machinery fields stand: in spec itself, or together under one field of it. */
const MACHINERY = new Set(['infrastructure', 'crossplane'])
/** Annotations of ours by which people say something. */
const SPOKEN = new Set<Segment>([EXTERNAL_NAME, ADOPT, PAUSED, DELETION_ORDER])

/**
 * Is it a field that the control plane keeps for itself? Somebody who approves a change need not read it. Not to be asked about fields that somebody
 * wrote by hand.
 */
export function isBookkeeping(segments: readonly Segment[]): boolean {
  const [top, second, third] = segments
  if (segments.at(-1) === 'uid') return true
  if (top === 'metadata') {
    if (second === 'ownerReferences' || second === 'generateName') return true
    return (second === 'labels' || second === 'annotations') && isOurs(third) && !(second === 'annotations' && SPOKEN.has(third ?? ''))
  }
  if (top !== 'spec') return false
  const name = typeof second === 'string' && MACHINERY.has(second) ? third : second
  return typeof name === 'string' && REFERENCES.has(name)
}

/** `resourceclaim.crossplane.io/name` */
const isOurs = (key: Segment | undefined): boolean => typeof key === 'string' && /^([^/]+\.)?(crossplane\.io|weft\.dev)\//.test(key)
