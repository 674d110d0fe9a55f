import { meantInstead } from '@weft/api'
import { discover, type ServedKind, type Transport } from '@weft/client'
import { CommandFailure } from '../report.ts'
import type { KindMemory } from './kind-memory.ts'

/**
 * Kinds by the words people use for them. Asks the server once; `refresh` asks again, after definitions have come.
 */
export interface KindCatalog {
  /** Everything served, preferred versions first. */
  all(): Promise<readonly ServedKind[]>
  /**
   * The kinds that one word means: `databases`, `database`, `Database`, a short name, `databases.example.org`,
   * `databases.v1.example.org`, or a category (`all`, `managed`), which means several. Rejects when it
   * means none, or when kinds of several groups share the word, and names them.
   */
  resolve(word: string): Promise<readonly ServedKind[]>
  /**
   * The kind that a word meant a while ago, by which a command may look before it asks what there is. Undefined where nothing is remembered, and for categories:
   * these may have more kinds by now.
   */
  recall(word: string): ServedKind | undefined
  refresh(): void
}

export function createKindCatalog(transport: Transport, memory?: KindMemory): KindCatalog {
  let known: Promise<readonly ServedKind[]> | undefined
  let remembered: readonly ServedKind[] | undefined
  const ask = async (): Promise<readonly ServedKind[]> => {
    const kinds = await discover(transport)
    memory?.keep(kinds)
    return kinds
  }
  const all = (): Promise<readonly ServedKind[]> => (known ??= ask())
  return {
    all,
    recall(word) {
      remembered ??= memory?.recall() ?? []
      return rivals(remembered, word).length > 0 ? undefined : findKind(remembered, word)
    },
    async resolve(word) {
      const kinds = await all()
      const one = chooseKind(kinds, word)
      if (one !== undefined) return [one]
      for (const name of singulars(word.toLowerCase())) {
        const category = findCategory(kinds, name)
        if (category.length > 0) return category
      }
      throw new CommandFailure(`the server has no kind "${word}"; \`weft api-resources\` lists what it has${suggestion(kinds, word)}`)
    },
    refresh: () => void (known = undefined),
  }
}

/** As kubectl resolves it: plural, then singular or kind, then short name, of the preferred version. */
export const findKind = (kinds: readonly ServedKind[], word: string): ServedKind | undefined => findKinds(kinds, word)[0]

/** The one kind that a word means. Refuses to choose between kinds of several groups, and names them. */
export function chooseKind(kinds: readonly ServedKind[], word: string): ServedKind | undefined {
  const meant = rivals(kinds, word)
  if (meant.length > 0) throw new CommandFailure(`"${word}" means several kinds: say which one, ${meant.join(' or ')}`)
  return findKind(kinds, word)
}

/** All that the word means equally well, in every group and version. */
function findKinds(kinds: readonly ServedKind[], word: string): readonly ServedKind[] {
  const [name = '', ...rest] = word.toLowerCase().split('.')
  const qualifier = rest.join('.')
  const candidates = qualifier === '' ? kinds : kinds.filter(({ group, version }) => isQualifiedBy(qualifier, group, version))
  const readings: readonly ((kind: ServedKind) => boolean)[] = [
    ({ plural }) => plural === name,
    ({ singular, kind }) => singular === name || kind.toLowerCase() === name,
    ({ shortNames }) => shortNames.includes(name),
  ]
  return readings.map((reading) => candidates.filter(reading)).find(({ length }) => length > 0) ?? []
}

/**
 * The full names of the kinds between which a word leaves the choice. Kubernetes' own kinds have no rivals: everybody means them, and `events` is in two groups
 * of its own.
 */
export function rivals(kinds: readonly ServedKind[], word: string): readonly string[] {
  const found = findKinds(kinds, word)
  const [first] = found
  if (first === undefined || first.group === '' || first.group.endsWith('.k8s.io')) return []
  const names = [...new Set(found.map(({ plural, group }) => `${plural}.${group}`))]
  return names.length > 1 ? names : []
}

/** `group`, `version.group`, and as kubectl allows it, the beginning of a group. */
function isQualifiedBy(qualifier: string, group: string, version: string): boolean {
  if (group === qualifier || `${version}.${group}` === qualifier) return true
  if (group === '' && version === qualifier) return true
  return group.startsWith(`${qualifier}.`)
}

/** People ask for `claims` and `classes`; the categories are `claim` and `class`. */
const singulars = (word: string): readonly string[] => [word, word.replace(/s$/, ''), word.replace(/es$/, '')]

function findCategory(kinds: readonly ServedKind[], word: string): ServedKind[] {
  const found = new Map<string, ServedKind>()
  for (const served of kinds) {
    const key = `${served.plural}.${served.group}`
    if (!found.has(key) && served.categories.includes(word)) found.set(key, served)
  }
  return [...found.values()]
}

/** A slip of one letter is worth pointing out. */
function suggestion(kinds: readonly ServedKind[], word: string): string {
  const names = new Set(kinds.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...shortNames]))
  const near = meantInstead(word.toLowerCase(), names)
  return near === undefined ? '' : ` (did you mean "${near}"?)`
}
