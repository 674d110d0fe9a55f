import { getOwn, isJsonObject, type JsonObject, type KubeObject, type OwnerReference, specOf } from '@weft/api'
import { type ObjectRef, sameReference, singleReference } from '../normalise/reference.ts'

/**
 * Does `candidate` match the selector of `from`? Everything the selector says must hold (A15, F17, C42); one that says nothing
 * matches every object of the target kind. The three spellings of "same group" (B11) each ask for their own relation, except that
 * `matchComposite` is also satisfied by the same controller. An object without that relation matches nothing, and no object matches itself.
 */
export function matchesSelector(selector: JsonObject, from: KubeObject, candidate: KubeObject): boolean {
  if (from === candidate || (from.metadata.uid !== undefined && from.metadata.uid === candidate.metadata.uid)) return false
  if (getOwn(selector, 'matchAggregate') === true && !sameGroup(from, candidate, 'aggregateRef')) return false
  if (getOwn(selector, 'matchComposite') === true && !sameGroup(from, candidate, 'compositeRef') && !sameController(from, candidate))
    return false
  if (getOwn(selector, 'matchControllerRef') === true && !sameController(from, candidate)) return false
  return matchesClass(getOwn(selector, 'matchClassRef'), candidate) && matchesLabelsOf(getOwn(selector, 'matchLabels'), candidate)
}

/** The matches, in the order given; choosing one at random (A16) is the caller's, who owns the randomness. */
export const matchingCandidates = (selector: JsonObject, from: KubeObject, candidates: readonly KubeObject[]): readonly KubeObject[] =>
  candidates.filter((candidate) => matchesSelector(selector, from, candidate))

const sameGroup = (a: KubeObject, b: KubeObject, name: 'aggregateRef' | 'compositeRef'): boolean =>
  sameReference(groupRef(a, name), groupRef(b, name))

function groupRef(object: KubeObject, name: string): ObjectRef | undefined {
  const ref = singleReference(getOwn(specOf(object), name), name)
  return ref.ok ? ref.value : undefined
}

export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find((owner) => owner.controller === true)

/** Two objects that nobody controls are not related by that. */
function sameController(a: KubeObject, b: KubeObject): boolean {
  const controller = controllerOf(a)
  return controller !== undefined && controller.uid === controllerOf(b)?.uid
}

function matchesClass(wanted: unknown, candidate: KubeObject): boolean {
  if (wanted === undefined || wanted === null) return true
  if (!isJsonObject(wanted)) return false
  const name = getOwn(wanted, 'name')
  if (name === undefined) return true
  return groupRef(candidate, 'classRef')?.name === name
}

function matchesLabelsOf(wanted: unknown, { metadata }: KubeObject): boolean {
  if (wanted === undefined || wanted === null) return true
  if (!isJsonObject(wanted)) return false
  // Not through requirementsOf: it throws on labels that are not well formed, where not matching is answer enough.
  return Object.keys(wanted).every((key) => getOwn(metadata.labels ?? {}, key) === getOwn(wanted, key))
}
