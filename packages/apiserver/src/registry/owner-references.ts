import { deepEqual, type KubeObject, withMeta } from '@weft/api'

const ADVICE =
  'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed:'

/** Each owner once. Tells the client when that takes something away; the same object when it does not. */
export function withDistinctOwners(object: KubeObject, warn: (text: string) => void, admitted: boolean): KubeObject {
  const { ownerReferences } = object.metadata
  if (ownerReferences === undefined || ownerReferences.length < 2) return object
  const repeated = ownerReferences.filter((owner, i) => ownerReferences.slice(0, i).some((other) => deepEqual(other, owner)))
  if (repeated.length === 0) return object
  warn(
    `.metadata.ownerReferences contains duplicate entries${admitted ? ' after mutating admission happens' : ''}; ${ADVICE} ${repeated.map(({ uid }) => uid).join(', ')}`,
  )
  return withMeta(object, { ownerReferences: ownerReferences.filter((owner) => !repeated.includes(owner)) })
}
