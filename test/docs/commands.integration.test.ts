import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { commandFirst, normalizeArguments } from '../../packages/cli/src/arguments.ts'
import { npmPage } from '../../scripts/pack/npm-pages.mjs'
import { platformFiles } from '../../packages/cli/src/commands/init/platform-files.ts'
import { providerTemplate } from '../../packages/cli/src/commands/package/provider-template.ts'
import type { CommandEntry } from '../../packages/cli/src/command-entry.ts'
import { COMMANDS } from '../../packages/cli/src/commands.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const textOf = (page: string): readonly [string, string] => [page, readFileSync(join(root, page), 'utf8')]
/** What people read: the manual, the examples, and what `weft init` writes. Decisions speak of commands that never came to be. */
const pages: readonly (readonly [string, string])[] = [
  ['README.md', '.'] as const,
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => [join(folder, file), folder] as const),
  ),
]
  .map(([page]) => page)
  .filter((page) => page.endsWith('.md') && !page.startsWith(join('docs', 'adr')) && !page.includes('node_modules'))
  .map(textOf)

interface Typed {
  readonly words: readonly string[]
  /** In a block of its own, to be typed as it stands; within a sentence, words in capitals stand for others. */
  readonly whole: boolean
}

/** The words of a line as a shell takes them apart, up to what is piped, redirected, chained or a comment. */
function wordsOf(line: string): readonly string[] {
  const tokens = line.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"|;&<>#]|(?<=\S)#)+|[|;&<>]+|#.*/g) ?? []
  const end = tokens.findIndex((token) => /^(?:[|;&<>]|#)/.test(token))
  return (end < 0 ? tokens : tokens.slice(0, end)).map((token) => token.replaceAll(/['"]/g, ''))
}

/** A word that stands for any command, and one of a message: `weft is not built yet`. */
const NO_COMMAND = new Set(['COMMAND', 'is'])

const FENCE = '```'
const COMMAND = /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx )?(?:@weft\/cli|weft)(?= )/

function typedIn(text: string): readonly Typed[] {
  const joined = text.replaceAll(/\\\n\s*/g, '')
  const inBlocks: string[] = []
  const prose = joined
    .replaceAll(/^( *)```(sh|console)?[^\n]*\n([\s\S]*?)^\1```/gm, (_, __, language: string | undefined, block: string) => {
      if (language !== undefined) inBlocks.push(...block.split('\n'))
      return ''
    })
    .replaceAll(/^ {4}(\S.*)$/gm, (_, line: string) => {
      inBlocks.push(line)
      return ''
    })
  const inSentences = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  const typed = (lines: readonly string[], whole: boolean): readonly Typed[] =>
    lines
      .map((line) => line.trim())
      .filter((line) => COMMAND.test(line) && !line.includes('…'))
      .map((line) => ({ words: wordsOf(line.replace(COMMAND, 'weft')).slice(1), whole }))
      .filter(({ words }) => words.length > 0 && !NO_COMMAND.has(words[0] ?? ''))
  return [...typed(inBlocks, true), ...typed(inSentences, false)]
}

/** What the command would say to these words; its work is left undone. */
async function complaint({ words, whole }: Typed): Promise<string | undefined> {
  const args = commandFirst(words)
  const [name = ''] = args
  if (name === 'help' || name.startsWith('--')) return undefined
  const load = COMMANDS.find((each) => each.name === name)?.load
  if (load === undefined) return `there is no command ${name}`
  const command = (await load())(() => Promise.resolve())
  judgeOnly(command)
  try {
    await command.parseAsync([...normalizeArguments(command, args)].slice(1), { from: 'user' })
    return undefined
  } catch (error) {
    if (!isComplaint(error)) throw error
    const fine = whole ? ['commander.help', 'commander.helpDisplayed'] : ['commander.help', 'commander.helpDisplayed', ...OF_VALUES]
    return fine.includes(error.code) ? undefined : error.message
  }
}

type Command = ReturnType<Awaited<ReturnType<CommandEntry['load']>>>

const isComplaint = (error: unknown): error is { readonly code: string; readonly message: string } =>
  String((error as { readonly code?: unknown }).code).startsWith('commander.')

/** Throws where it would end the process, and prints nothing. */
function judgeOnly(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
  for (const nested of command.commands) judgeOnly(nested)
}

/** In a sentence a command may be named without its arguments. */
const OF_VALUES = [
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.invalidArgument',
  'commander.optionMissingArgument',
]

describe('the commands in the pages', () => {
  // All of them are compiled from their sources here, which takes a busy machine minutes: no page should have to answer for that.
  beforeAll(() => Promise.all(COMMANDS.map(({ load }) => load())), 900_000)

  it.each([
    { reason: 'a comment', line: 'weft get claim   # all of them', words: ['get', 'claim'] },
    {
      reason: 'a pipe',
      line: "weft get secret db -o jsonpath='{.data.a}' | base64 -d",
      words: ['get', 'secret', 'db', '-o', 'jsonpath={.data.a}'],
    },
    { reason: 'a prompt and npx', line: '$ npx weft up', words: ['up'] },
    { reason: 'a variable', line: 'KUBECONFIG=a weft status', words: ['status'] },
  ])('are read past $reason', ({ line, words }) => {
    expect(typedIn(`${FENCE}sh\n${line}\n${FENCE}\n`)).toEqual([{ words, whole: true }])
  })

  it.each([
    { reason: 'a command that does not exist', text: '    weft aply -f a.yaml', says: /no command aply/ },
    { reason: 'an option that does not exist', text: 'Say `weft apply --wiat`.', says: /unknown option/ },
    { reason: 'an argument that is missing', text: '    weft token', says: /missing required argument/ },
    { reason: 'a value that is not allowed', text: '    weft user add ada --role king', says: /invalid/ },
  ])('are refused for $reason', async ({ text, says }) => {
    expect(await complaint(typedIn(text)[0] as Typed)).toMatch(says)
  })

  const made = [
    ['the README of weft init', platformFiles('platform').get('README.md') ?? ''],
    ['the README of a new provider', providerTemplate('my-provider').get('README.md') ?? ''],
    ['the page of the command on npm', npmPage('cli').page],
  ] as const
  const all = [...pages, ...made].map(([page, text]) => ({ page, commands: typedIn(text) })).filter(({ commands }) => commands.length > 0)

  it('are many', () => expect(all.flatMap(({ commands }) => commands).length).toBeGreaterThan(400))

  it.each(all)('$page names only commands and options that exist', async ({ commands }) => {
    const wrong: string[] = []
    for (const typed of commands) {
      const said = await complaint(typed)
      if (said !== undefined) wrong.push(`weft ${typed.words.join(' ')}: ${said}`)
    }
    expect(wrong).toEqual([])
  })
})
