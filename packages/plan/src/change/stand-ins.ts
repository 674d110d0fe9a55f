import { RESOURCE_NAME } from '@weft/composition'
import type { KubeObject } from '@weft/api'
import { KNOWN_AFTER_APPLY } from './plan.ts'

/** Five characters that a server made up, as `generateName` makes them. */
const SUFFIX = /-[bcdfghjklmnpqrstvwxz2456789]{5}$/
/** Twelve that follow from the uid of a composite. */
const CHILD_SUFFIX = /-[0-9a-f]{12}$/

/**
 * Replaces what a server would make up: uids of what does not exist yet, and the ends of generated names. The same name becomes the same text
 * wherever it stands, so that references can still be followed by eye. `created` is in the order of the plan, owners first.
 */
export function standIns(created: readonly KubeObject[], isGiven: (object: KubeObject) => boolean): (text: string) => string {
  const replacements = new Map<string, string>()
  const used = new Map<string, number>()
  for (const object of created) {
    const { name = '', uid } = object.metadata
    if (uid !== undefined) replacements.set(uid, KNOWN_AFTER_APPLY)
    const suffix = CHILD_SUFFIX.test(name) && isNamedByUid(object, replacements) ? CHILD_SUFFIX : SUFFIX
    if (isGiven(object) || !suffix.test(name) || replacements.has(name)) continue
    const stem = name.replace(suffix, '')
    // What it is named after may have a generated name itself.
    const prefix = `${replacements.get(stem) ?? stem}-`
    const count = (used.get(prefix) ?? 0) + 1
    used.set(prefix, count)
    replacements.set(name, `${prefix}(generated${count === 1 ? '' : ` ${count}`})`)
  }
  if (replacements.size === 0) return (text) => text
  // The longest first: a name may be the beginning of another.
  const keys = [...replacements.keys()].toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(keys.map((key) => key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g')
  return (text) => text.replace(pattern, (found) => replacements.get(found) ?? found)
}

/** Composed by something that does not exist yet. */
const isNamedByUid = ({ metadata }: KubeObject, created: ReadonlyMap<string, string>): boolean =>
  metadata.annotations?.[RESOURCE_NAME] !== undefined && metadata.ownerReferences?.some(({ uid }) => created.has(uid)) === true
