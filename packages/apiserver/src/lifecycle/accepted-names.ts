import type { Condition } from '@weft/api'
import type { CrdNames } from '@weft/schema'

export interface NamesInUse {
  /** Plural, singular and short names in the group. */
  readonly resources: ReadonlySet<string>
  /** Kinds and list kinds. */
  readonly kinds: ReadonlySet<string>
}

export interface NamesVerdict {
  readonly accepted: CrdNames
  readonly condition: Condition
}

/**
 * Which of the names that a definition asks for it gets. Each is judged by itself, so that what is free is accepted; a
 * name once accepted stays. The condition tells of the last conflict.
 */
export function acceptNames(wanted: CrdNames, had: CrdNames | undefined, { resources, kinds }: NamesInUse): NamesVerdict {
  let condition: Condition = { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
  const judge = <T>(asked: T, reason: string, taken: readonly string[], old: T): T => {
    if (taken.length === 0) return asked
    condition = { type: 'NamesAccepted', status: 'False', reason, message: formatTaken(taken) }
    return old
  }
  const taken = (name: string | undefined, old: string | undefined, used: ReadonlySet<string>): readonly string[] =>
    name === undefined || name === '' || name === old || !used.has(name) ? [] : [name]
  const oldShort = had?.shortNames ?? []
  const accepted = {
    plural: judge(wanted.plural, 'PluralConflict', taken(wanted.plural, had?.plural, resources), had?.plural ?? ''),
    singular: judge(wanted.singular, 'SingularConflict', taken(wanted.singular, had?.singular, resources), had?.singular),
    shortNames: judge(
      wanted.shortNames,
      'ShortNamesConflict',
      (wanted.shortNames ?? []).filter((name) => !oldShort.includes(name) && resources.has(name)),
      had?.shortNames,
    ),
    kind: judge(wanted.kind, 'KindConflict', taken(wanted.kind, had?.kind, kinds), had?.kind ?? ''),
    listKind: judge(wanted.listKind, 'ListKindConflict', taken(wanted.listKind, had?.listKind, kinds), had?.listKind),
    categories: wanted.categories,
  }
  return { accepted: { ...withoutAbsent(accepted), plural: accepted.plural, kind: accepted.kind }, condition }
}

const formatTaken = (names: readonly string[]): string => {
  const texts = names.map((name) => `${JSON.stringify(name)} is already in use`)
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`
}

const withoutAbsent = (names: object): CrdNames =>
  Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined)) as unknown as CrdNames
