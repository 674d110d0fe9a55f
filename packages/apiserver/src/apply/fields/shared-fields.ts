import { isJsonObject, setOwn, stringifyJson } from '@weft/api'
import { type FieldSet, isLeaf, LEAF } from './field-set.ts'

/** Of those that were asked for lately; before that as many again. Kinds and their writers are few, and whatever names one object is soon not asked for again. */
const MOST = 2_048

let lately = new Map<string, FieldSet>()
let before = new Map<string, FieldSet>()

/**
 * The same set, as one object with everybody else who has it. What a manager owns is the same for most objects of a kind, and was two fifths of what
 * objects take in memory; where it names a single object (an owner, by its uid), all that is beside that is shared. Of what is no set, the value itself.
 */
export function sharedFields<T>(fields: T): T {
  return isJsonObject(fields) ? (shared(fields as unknown as FieldSet) as unknown as T) : fields
}

function shared(fields: FieldSet): FieldSet {
  if (isLeaf(fields)) return LEAF
  const text = stringifyJson(fields)
  const known = lately.get(text) ?? before.get(text)
  const one = known ?? withSharedMembers(fields)
  if (lately.get(text) === undefined) note(text, one)
  return one
}

function withSharedMembers(fields: FieldSet): FieldSet {
  const one: Record<string, unknown> = {}
  for (const element of Object.keys(fields)) setOwn(one, element, sharedFields(fields[element]))
  return one as FieldSet
}

function note(text: string, fields: FieldSet): void {
  if (lately.size >= MOST) {
    before = lately
    lately = new Map()
  }
  lately.set(text, fields)
}
