import type { GroupKind } from '@weft/api'
import { camelCase } from './field-names.ts'
import type { ReferenceOverlay } from './overlay.ts'

/** What a reference may lead to: by type of resource, its kind. */
export type ReferenceTargets = ReadonlyMap<string, GroupKind>

export interface FoundReference {
  readonly kinds: readonly GroupKind[]
  /** Of `status.atProvider`. Never the external name: before the thing is made that is only the name of its object. */
  readonly attribute: string
  readonly many: boolean
}

/** By which most of what is managed is known. What has none has a data file, or is referred to by what it says itself. */
const ID = 'id'

/** How names of attributes end that hold something of another resource, and which of its attributes that is. */
const ENDINGS: readonly (readonly [string, string])[] = [
  ['_self_link', 'self_link'],
  ['_arn', 'arn'],
  ['_id', ID],
  ['_name', 'name'],
]

/**
 * What an attribute refers to, by its name alone: `vpc_id` to the one type that is called `<provider>_vpc`, `subnet_ids` to several. Nothing is
 * guessed beyond that: an attribute that could mean two types, or part of a name, refers to nothing unless a data file says so.
 */
export function guessReference(attribute: string, provider: string, targets: ReferenceTargets): FoundReference | undefined {
  const many = attribute.endsWith('s') && !attribute.endsWith('ss')
  const singular = many ? attribute.slice(0, -1) : attribute
  for (const [ending, from] of ENDINGS) {
    if (!singular.endsWith(ending)) continue
    const kind = targets.get(`${provider}_${singular.slice(0, -ending.length)}`)
    if (kind !== undefined) return { kinds: [kind], many, attribute: camelCase(from) }
  }
  return undefined
}

/** What a data file says of an attribute. */
export function statedReference(
  { type, attribute = ID }: ReferenceOverlay,
  many: boolean,
  targets: ReferenceTargets,
): FoundReference | undefined {
  const kind = targets.get(type)
  return kind === undefined ? undefined : { kinds: [kind], many, attribute: camelCase(attribute) }
}
