import { childPath, getOwn, isJsonObject, type JsonObject } from '@weft/api'
import { parseFieldPath } from '../fieldpath/parse.ts'
import { formatFieldPath, type Segment } from '../fieldpath/path.ts'
import { singleReference } from '../normalise/reference.ts'
import { type ComposedKind, LEGACY_FIELDS, sharedFields } from './composed-kind.ts'
import type { Tell } from './loss.ts'

export type Side = 'crossplane' | 'weft'

/** A path into an object of the kind, as the other side writes it; undefined: the other side has no such field. */
export function movePath(text: string, kind: ComposedKind | undefined, to: Side): string | undefined {
  const path = parseFieldPath(text)
  if (kind === undefined || !path.ok) return text
  const moved = to === 'crossplane' ? outOfWeft(path.value.segments, kind) : outOfCrossplane(path.value.segments, kind)
  return moved === undefined ? undefined : moved === path.value.segments ? text : formatFieldPath(moved)
}

function outOfWeft(path: readonly Segment[], kind: ComposedKind): readonly Segment[] | undefined {
  const [root, field, name, ...rest] = path
  if (root === 'status' && (field === 'composition' || field === 'composedFrom')) return undefined
  if (root !== 'spec' || field !== kind.field) return path
  const other = typeof name === 'string' ? sharedFields(kind).get(name) : undefined
  if (other === undefined || (name === 'requirementRef' && rest[0] === 'uid')) return undefined
  return ['spec', ...(kind.place === undefined ? [] : [kind.place]), other, ...rest]
}

function outOfCrossplane(path: readonly Segment[], kind: ComposedKind): readonly Segment[] | undefined {
  const [root, ...below] = path
  if (root !== 'spec') return path
  if (kind.place !== undefined && below[0] !== kind.place) return path
  const [name, ...rest] = kind.place === undefined ? below : below.slice(1)
  if (kind.place === undefined && !(LEGACY_FIELDS as readonly unknown[]).includes(name)) return path
  const own = [...sharedFields(kind)].find(([, other]) => other === name)?.[0]
  return own === undefined ? undefined : ['spec', kind.field, own, ...rest]
}

/** The spec of an object of the kind, its machinery where the other side keeps it. What controllers wrote there themselves is left out without a word. */
export function moveSpec(spec: JsonObject, kind: ComposedKind, to: Side, { path, tell }: { path: string; tell: Tell }): JsonObject {
  return to === 'crossplane' ? specToCrossplane(spec, kind, { path, tell }) : specToWeft(spec, kind, { path, tell })
}

interface Place {
  readonly path: string
  readonly tell: Tell
}

function specToCrossplane(spec: JsonObject, kind: ComposedKind, { path, tell }: Place): JsonObject {
  const { [kind.field]: given, ...rest } = spec
  if (!isJsonObject(given)) return rest
  const at = childPath(path, kind.field)
  const shared = sharedFields(kind)
  const moved: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const other = shared.get(name)
    if (other !== undefined) moved[other] = referenceOf(name, value, kind)
    else if (name === 'reclaimPolicy' && value === 'Retain')
      tell(childPath(at, name), 'Crossplane deletes a composite with its claim: it would not be retained')
    else if (name === 'writeConnectionSecretToRef') tell(childPath(at, name), 'composites of this definition have no connection secret')
    else if (!['composedRefs', 'reclaimPolicy'].includes(name)) tell(childPath(at, name), 'Crossplane has no such field')
  }
  if (Object.keys(moved).length === 0) return rest
  return (kind.place === undefined ? { ...rest, ...moved } : { ...rest, [kind.place]: moved }) as JsonObject
}

/** References have two shapes here, and one there. A requirement's own is of the published kind, whatever it says; a claim's says so. */
function referenceOf(name: string, value: unknown, kind: ComposedKind): unknown {
  if (name === 'requirementRef' && isJsonObject(value)) return without(value, 'uid')
  if (name !== 'compositionRef' && name !== 'resourceRef') return value
  const ref = singleReference(value, name)
  if (!ref.ok || ref.value === undefined) return value
  return name === 'resourceRef' ? { ...kind.composite, name: ref.value.name } : { name: ref.value.name }
}

const without = (object: JsonObject, key: string): JsonObject => Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))

/** Why a field of Crossplane's machinery is lost, where it is. */
const LOST: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  compositionRevisionRef: () => 'Weft keeps no revisions of Compositions with templates: they cannot be changed',
  compositionRevisionSelector: () => 'Weft keeps no revisions of Compositions with templates: they cannot be changed',
  compositeDeletePolicy: (value) => (value === 'Foreground' ? 'a requirement does not wait for what is deleted with it' : undefined),
  publishConnectionDetailsTo: () => 'Weft publishes connection details in Secrets only',
}

function specToWeft(spec: JsonObject, kind: ComposedKind, { path, tell }: Place): JsonObject {
  const inPlace = kind.place === undefined ? spec : getOwn(spec, kind.place)
  const machinery = isJsonObject(inPlace) ? inPlace : {}
  const at = kind.place === undefined ? path : childPath(path, kind.place)
  const own: Record<string, unknown> = {}
  for (const name of LEGACY_FIELDS) {
    const value = getOwn(machinery, name)
    if (value === undefined) continue
    const shared = [...sharedFields(kind)].find(([, other]) => other === name)?.[0]
    const lost = shared === undefined ? LOST[name]?.(value) : undefined
    if (shared !== undefined) own[shared] = value
    else if (lost !== undefined) tell(childPath(at, name), lost)
  }
  const rest = Object.fromEntries(
    Object.entries(spec).filter(([name]) =>
      kind.place === undefined ? !(LEGACY_FIELDS as readonly string[]).includes(name) : name !== kind.place,
    ),
  )
  return (Object.keys(own).length === 0 ? rest : { ...rest, [kind.field]: own }) as JsonObject
}
