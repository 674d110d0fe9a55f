import { isJsonObject, setOwn, stringifyJson } from '@weft/api'
import { type FieldSet, isLeaf, LEAF } from './field-set.ts'

/** Characters of those that were asked for lately; of those before as many again. Kinds and their writers are few, and what names one object is soon not asked for again. */
const MOST_KEPT = 1024 ** 2
/** Characters of one. Larger ones are rare, and finding out whether they are known would cost too much. */
const MOST_OF_ONE = 8 * 1024

let lately = new Map<string, FieldSet>()
let before = new Map<string, FieldSet>()
let kept = 0

/**
 * The same set, as one object with everybody else who has it. What a manager owns is the same for most objects of a kind, and was two fifths of what
 * objects take in memory; where it names a single object (an owner, by its uid), all that is beside that is shared. Of what is no set, the value itself.
 */
export function sharedFields<T>(fields: T): T {
  return roomLeft(fields, MOST_OF_ONE) > 0 ? membersShared(fields) : fields
}

const membersShared = <T>(value: T): T => (isJsonObject(value) ? (shared(value as unknown as FieldSet) as unknown as T) : value)

/** Of so many characters, when those of all names are taken away; no more is looked at than there is room for. */
function roomLeft(value: unknown, room: number): number {
  if (!isJsonObject(value)) return room
  let left = room
  for (const element in value) {
    left = roomLeft(value[element], left - element.length - 1)
    if (left <= 0) return 0
  }
  return left
}

function shared(fields: FieldSet): FieldSet {
  if (isLeaf(fields)) return LEAF
  const text = stringifyJson(fields)
  const recent = lately.get(text)
  if (recent !== undefined) return recent
  const one = before.get(text) ?? withSharedMembers(fields)
  note(text, one)
  return one
}

function withSharedMembers(fields: FieldSet): FieldSet {
  const one: Record<string, unknown> = {}
  for (const element of Object.keys(fields)) setOwn(one, element, membersShared(fields[element]))
  return one as FieldSet
}

function note(text: string, fields: FieldSet): void {
  kept += text.length
  if (kept > MOST_KEPT) {
    before = lately
    lately = new Map()
    kept = text.length
  }
  lately.set(text, fields)
}
