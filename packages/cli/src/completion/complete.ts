import type { Command, Option } from 'commander'
import type { Run } from '../run.ts'
import type { CommandEntry } from '../command-entry.ts'
import type { Candidate, ServerWords } from './server-words.ts'

export interface CompletionSources {
  readonly commands: readonly CommandEntry[]
  /** Asked only when the server has to know. */
  readonly server: (options: Readonly<Record<string, string>>) => Promise<ServerWords>
}

/** `files`: the shell knows best. */
export type Completion = readonly Candidate[] | 'files'

/** Commands whose arguments are objects of the server. */
const OBJECT_COMMANDS = new Set(['get', 'describe', 'delete', 'edit', 'patch', 'wait', 'explain', 'trace'])

const NO_RUN: Run = () => Promise.resolve()

/** What may stand in place of the last of `words` (those after `weft`). */
export async function complete(words: readonly string[], { commands, server }: CompletionSources): Promise<Completion> {
  const current = words.at(-1) ?? ''
  const [name] = words
  if (words.length < 2 || name === undefined)
    return starting(
      commands.map((entry) => ({ value: entry.name, about: entry.summary })),
      current,
    )
  const entry = commands.find((each) => each.name === name)
  if (entry === undefined) return []
  const { command, rest } = nested((await entry.load())(NO_RUN), words.slice(1, -1))
  const scanned = scan(command, rest)
  if (scanned.awaiting !== undefined) return values(scanned.awaiting, current, () => server(scanned.options))
  if (current.startsWith('-'))
    return starting(
      command.options.map((option) => ({ value: option.long ?? option.short ?? '', about: option.description })),
      current,
    )
  if (command.commands.length > 0)
    return starting(
      command.commands.map((each) => ({ value: each.name(), about: each.summary() || each.description() })),
      current,
    )
  if (!OBJECT_COMMANDS.has(name)) return 'files'
  return objects(scanned.positional, current, await server(scanned.options))
}

const starting = (candidates: readonly Candidate[], prefix: string): readonly Candidate[] =>
  candidates.filter(({ value }) => value.startsWith(prefix))

/** `weft package build`: the innermost command that the words name. */
function nested(command: Command, words: readonly string[]): { readonly command: Command; readonly rest: readonly string[] } {
  const inner = command.commands.find((each) => each.name() === words[0])
  return inner === undefined ? { command, rest: words } : nested(inner, words.slice(1))
}

interface Scanned {
  readonly positional: readonly string[]
  readonly options: Readonly<Record<string, string>>
  /** The option whose value comes next. */
  readonly awaiting: Option | undefined
}

function scan(command: Command, words: readonly string[]): Scanned {
  const positional: string[] = []
  const options: Record<string, string> = {}
  let awaiting: Option | undefined
  for (const word of words) {
    if (awaiting !== undefined) {
      options[awaiting.attributeName()] = word
      awaiting = undefined
    } else if (!word.startsWith('-')) positional.push(word)
    else {
      const [flag = '', value] = word.split(/=(.*)/s)
      const option = command.options.find(({ long, short }) => long === flag || short === flag)
      if (option?.required === true && value === undefined) awaiting = option
      else if (option !== undefined) options[option.attributeName()] = value ?? 'true'
    }
  }
  return { positional, options, awaiting }
}

const FORMATS = ['json', 'yaml', 'name', 'wide', 'jsonpath=', 'custom-columns=']

async function values(option: Option, current: string, server: () => Promise<ServerWords>): Promise<Completion> {
  switch (option.long) {
    case '--namespace':
      return starting(await (await server()).names('namespaces'), current)
    case '--output':
      return starting(
        FORMATS.map((value) => ({ value, about: '' })),
        current,
      )
    case '--for':
      return option.description.includes('TYPE/NAME')
        ? objects([], current, await server())
        : starting(
            ['condition=', 'jsonpath=', 'create', 'delete'].map((value) => ({ value, about: '' })),
            current,
          )
    default:
      return option.argChoices === undefined
        ? 'files'
        : starting(
            option.argChoices.map((value) => ({ value, about: '' })),
            current,
          )
  }
}

/** Kinds first, then names; or both in one word, `kind/name`. */
async function objects(positional: readonly string[], current: string, server: ServerWords): Promise<Completion> {
  const slash = current.indexOf('/')
  if (slash > 0) {
    const type = current.slice(0, slash)
    return starting(
      (await server.names(type)).map(({ value, about }) => ({ value: `${type}/${value}`, about })),
      current,
    )
  }
  const [type] = positional
  if (type === undefined) {
    const comma = current.lastIndexOf(',') + 1
    const before = current.slice(0, comma)
    return starting(
      (await server.kinds()).map(({ value, about }) => ({ value: before + value, about })),
      current,
    )
  }
  if (type.includes('/')) return starting(await server.kinds(), current)
  const taken = new Set(positional.slice(1))
  return starting(await server.names(type), current).filter(({ value }) => !taken.has(value))
}
