import { Command } from 'commander'
import { commandFirst, normalizeArguments } from './arguments.ts'
import type { CommandEntry } from './command-entry.ts'
import { COMMAND_GROUPS, COMMANDS } from './commands.ts'
import { guardTerminal } from './terminal/terminal.ts'
import { report } from './report.ts'
import type { Run } from './run.ts'
import { VERSION } from './version.ts'

/** The `weft` command: parses, runs one subcommand, and turns any failure into one line and an exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  // `weft get … | head` closes the pipe when it has seen enough: that is no failure.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1))
  guardTerminal()
  let exitCode = 0
  let entry: CommandEntry | undefined
  const run: Run = (action) => action().then((code) => void (exitCode = code))
  try {
    // Asked by shells at every key: no parser, no help.
    if (argv[0] === '__complete') return await (await import('./completion/answer.ts')).answerCompletion(argv.slice(1), COMMANDS)
    const args = commandFirst(argv)
    const wanted = wantedCommand(args)
    entry = COMMANDS.find(({ name }) => name === wanted)
    const command = await entry?.load()
    const program = createProgram(wanted, command?.(run))
    const parsed = program.commands.find((each) => each.name() === wanted)
    await program.parseAsync(parsed === undefined ? [...args] : [...normalizeArguments(parsed, args)], { from: 'user' })
    return exitCode
  } catch (error) {
    const code = report(error)
    return code === 0 ? 0 : Math.max(code, entry?.failureCode ?? 1)
  }
}

/** All commands, fully loaded: for the reference and for shell completion. */
export async function loadProgram(): Promise<Command> {
  const loaded = await Promise.all(COMMANDS.map(async ({ name, load }) => [name, (await load())(() => Promise.resolve())] as const))
  return assemble((entry) => loaded.find(([name]) => name === entry.name)?.[1])
}

const createProgram = (wanted: string | undefined, loaded: Command | undefined): Command =>
  assemble((entry) => (entry.name === wanted ? loaded : undefined))

/** Commands that were not loaded are there by name, for the list and for suggestions. */
function assemble(loadedOf: (entry: CommandEntry) => Command | undefined): Command {
  const program = new Command('weft')
    .description('Weft: a control plane that composes infrastructure.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .addHelpCommand(new Command('help').argument('[command]').description('Show help for a command.').helpGroup('This command:'))
    .showHelpAfterError('(run weft --help for the list of commands)')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', '\nExample:\n  weft up\n  weft COMMAND --help')
  for (const { title, commands } of COMMAND_GROUPS) {
    program.commandsGroup(title)
    for (const entry of commands) {
      const command = loadedOf(entry)
      program.addCommand((command ?? new Command(entry.name)).summary(entry.summary))
      if (command !== undefined) settle(command.showHelpAfterError(`(run weft ${entry.name} --help for its options)`))
    }
  }
  return program.exitOverride()
}

/** Nested commands, too, answer by throwing instead of ending the process. */
function settle(command: Command): void {
  command.exitOverride().helpOption('-h, --help', 'show help')
  for (const nested of command.commands) settle(nested)
}

/** The word that names the command; `weft help get` is about `get`. */
function wantedCommand([first, second]: readonly string[]): string | undefined {
  return first === 'help' ? second : first
}
