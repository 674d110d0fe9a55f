import { type KubeObject, setOwn } from '@weft/api'
import { RecentValues } from '@weft/schema'

/**
 * Parts of objects that are as one schema would read them: pruned, in canonical form, defaults filled in. Objects are immutable and share what did not change, so
 * whoever sends back what it got here, with a part of its own, has that part read and nothing else. Reading is by member, hence so is remembering: the members
 * of the object, and those of its metadata.
 */
export class KnownParts {
  /** By part, where it stood: a list of finalizers is no list of owners. */
  readonly #places = new RecentValues<string>()

  /** `object` is as it would be read. */
  learn(object: KubeObject): void {
    for (const key in object) this.#places.note(object[key], key)
    const metadata = object.metadata as Members
    for (const key in metadata) this.#places.note(metadata[key], META + key)
  }

  /** What is to be read of `object`; the object itself where nothing is known of it. */
  unknownOf(object: KubeObject): KubeObject {
    const rest = this.#without(object, '')
    const { metadata } = rest
    if (typeof metadata !== 'object' || metadata === null) return rest as KubeObject
    const unknown = this.#without(metadata as Members, META)
    return (unknown === metadata ? rest : { ...rest, metadata: unknown }) as KubeObject
  }

  /** `object` with what became of its unknown parts. */
  joined(object: KubeObject, read: KubeObject): KubeObject {
    if (this.#isKnown(object.metadata, 'metadata')) return this.#join(object, read, '')
    const metadata = this.#join(object.metadata as Members, read.metadata as Members, META)
    return this.#join(object, { ...read, metadata }, '')
  }

  #isKnown(value: unknown, place: string): boolean {
    return this.#places.of(value) === place
  }

  #without(members: Members, prefix: string): Members {
    const keys = Object.keys(members)
    const unknown = keys.filter((key) => !this.#isKnown(members[key], prefix + key))
    if (unknown.length === keys.length) return members
    const rest: Record<string, unknown> = {}
    for (const key of unknown) setOwn(rest, key, members[key])
    return rest
  }

  /** In the order of `members`; what reading filled in comes last. The same object where reading changed nothing. */
  #join<T extends Members>(members: T, read: Members, prefix: string): T {
    const result: Record<string, unknown> = {}
    let isSame = true
    for (const key of Object.keys(members)) {
      const value = this.#isKnown(members[key], prefix + key) ? members[key] : Object.hasOwn(read, key) ? read[key] : undefined
      if (value !== members[key]) isSame = false
      if (value !== undefined) setOwn(result, key, value)
    }
    for (const key of Object.keys(read)) {
      if (Object.hasOwn(result, key)) continue
      isSame = false
      setOwn(result, key, read[key])
    }
    return isSame ? members : (result as T)
  }
}

type Members = Readonly<Record<string, unknown>>

const META = 'metadata.'
