import type { ServedKind } from '@weft/client'
import type { KindCatalog } from '../cluster/index.ts'
import { CommandFailure } from '../report.ts'

/** Objects that a command is about: all of a kind, or those named. */
export interface Target {
  readonly kind: ServedKind
  readonly names?: readonly string[]
}

/**
 * `TYPE`, `TYPE NAME…`, `TYPE,TYPE`, `TYPE/NAME…`: what kubectl takes. Categories stand for all their kinds.
 */
export async function parseTargets(words: readonly string[], kinds: KindCatalog): Promise<readonly Target[]> {
  const [first] = words
  if (first === undefined) throw new CommandFailure('name a kind, such as `secrets`, or an object, such as `secret/name`')
  if (words.some((word) => word.includes('/'))) return slashed(words, kinds)
  const types = first.split(',').filter((word) => word !== '')
  const names = words.slice(1)
  const resolved = (await Promise.all(types.map((word) => kinds.resolve(word)))).flat()
  if (names.length === 0) return distinct(resolved).map((kind) => ({ kind }))
  if (resolved.length > 1 && types.length === 1)
    throw new CommandFailure(`"${first}" means several kinds: name one of them to get an object by name`)
  return distinct(resolved).map((kind) => ({ kind, names }))
}

async function slashed(words: readonly string[], kinds: KindCatalog): Promise<readonly Target[]> {
  const targets: Target[] = []
  for (const word of words.flatMap((each) => each.split(',')).filter((each) => each !== '')) {
    const [type = '', name = '', ...more] = word.split('/')
    if (type === '' || name === '' || more.length > 0)
      throw new CommandFailure(`"${word}" is not TYPE/NAME; there is no need for a kind when all arguments are of that form`)
    const [kind, ...others] = await kinds.resolve(type)
    if (kind === undefined || others.length > 0)
      throw new CommandFailure(`"${type}" means several kinds: name one of them to get an object by name`)
    const last = targets.at(-1)
    if (last !== undefined && last.kind === kind) targets[targets.length - 1] = { kind, names: [...(last.names ?? []), name] }
    else targets.push({ kind, names: [name] })
  }
  return targets
}

/** Exactly one object, for commands that are about one. */
export async function parseSingleTarget(
  words: readonly string[],
  kinds: KindCatalog,
): Promise<{ readonly kind: ServedKind; readonly name: string }> {
  const targets = await parseTargets(words, kinds)
  const [target] = targets
  const [name, ...others] = target?.names ?? []
  if (target === undefined || name === undefined || others.length > 0 || targets.length > 1)
    throw new CommandFailure('name exactly one object: TYPE/NAME or TYPE NAME')
  return { kind: target.kind, name }
}

function distinct(kinds: readonly ServedKind[]): readonly ServedKind[] {
  return [...new Map(kinds.map((kind) => [`${kind.plural}.${kind.group}`, kind])).values()]
}

/** Can objects of it be listed? Reviews and the like can only be created. */
export const isListable = ({ verbs }: ServedKind): boolean => verbs.includes('list')

/** `widget.example.org "a"`, as messages name objects. */
export const describeObject = ({ plural, group }: { readonly plural: string; readonly group: string }, name: string): string =>
  `${plural}${group === '' ? '' : `.${group}`} "${name}"`
