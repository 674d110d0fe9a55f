import { type KubeObject, type OwnerReference, withMeta } from '@weft/api'

const ADVICE =
  'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed:'

/** Each owner once. Tells the client when that takes something away; the same object when it does not. */
export function withDistinctOwners(object: KubeObject, warn: (text: string) => void, admitted: boolean): KubeObject {
  const { ownerReferences } = object.metadata
  if (ownerReferences === undefined || ownerReferences.length < 2) return object
  const seen = new Set<string>()
  const distinct: OwnerReference[] = []
  const repeated: OwnerReference[] = []
  for (const owner of ownerReferences) {
    const identity = identityOf(owner)
    if (seen.has(identity)) repeated.push(owner)
    else distinct.push(owner)
    seen.add(identity)
  }
  if (repeated.length === 0) return object
  warn(
    `.metadata.ownerReferences contains duplicate entries${admitted ? ' after mutating admission happens' : ''}; ${ADVICE} ${repeated.map(({ uid }) => uid).join(', ')}`,
  )
  return withMeta(object, { ownerReferences: distinct })
}

/** Equal for references that say the same. */
const identityOf = ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string =>
  JSON.stringify([apiVersion, kind, name, uid, controller ?? null, blockOwnerDeletion ?? null])
