import type { Argument, Command, Option } from 'commander'
import { COMMAND_GROUPS } from './commands.ts'
import { loadProgram } from './weft.ts'

/** docs/reference/cli.md, made of what the commands say of themselves. */
export async function formatReference(): Promise<string> {
  const program = await loadProgram()
  const groups = COMMAND_GROUPS.map(({ title, commands }) => ({
    title: title.replace(/:$/, ''),
    commands: commands.flatMap(({ name }) => program.commands.filter((command) => command.name() === name)),
  }))
  return [
    '# The `weft` command\n',
    'Made from the commands by `npm run reference`; `weft COMMAND --help` shows the same.\n',
    ...groups.map(
      ({ title, commands }) => `**${title}**: ${commands.map((command) => `[${command.name()}](#weft-${command.name()})`).join(', ')}\n`,
    ),
    ...CONVENTIONS,
    ...groups.flatMap(({ commands }) => commands.flatMap((command) => formatCommand(command, 'weft'))),
  ].join('\n')
}

const CONVENTIONS = [
  '## Which server\n',
  'A command talks to the first of: `--kubeconfig`, the control plane of `--data-dir`, `$KUBECONFIG`, `.weft/kubeconfig` in the',
  'working directory (which `weft up` writes), `~/.kube/config`. The embedded server and any Kubernetes API are treated alike.\n',
  '## Output and exit codes\n',
  'Results go to standard output; progress, warnings and errors to standard error. An error is one line that says what went wrong,',
  'on which object, and what to do next. The exit code is 0 when everything was done and 1 when not. Progress appears on a terminal only,',
  'and only for what takes more than a second. `NO_COLOR` turns colours off; `WEFT_DEBUG=1` adds a stack trace to errors.\n',
]

function formatCommand(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`
  const help = examplesOf(command)
  return [
    `${'#'.repeat(name.split(' ').length)} ${name}\n`,
    `${command.description() || command.summary()}\n`,
    `\`\`\`\n${name} ${command.usage()}\n\`\`\`\n`,
    ...table('Argument', command.registeredArguments.map(argumentRow)),
    ...table('Option', command.options.filter(({ hidden }) => !hidden).map(optionRow)),
    ...(help === '' ? [] : [`\`\`\`sh\n${help}\n\`\`\`\n`]),
    ...command.commands.flatMap((nested) => formatCommand(nested, name)),
  ]
}

const argumentRow = (argument: Argument): readonly [string, string] => [
  `${argument.name()}${argument.variadic ? '…' : ''}`,
  argument.description,
]

function optionRow({ flags, description, defaultValue, defaultValueDescription, mandatory, negate }: Option): readonly [string, string] {
  const shown =
    negate || defaultValue === undefined || defaultValue === false
      ? ''
      : ` (default: ${defaultValueDescription ?? (typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue))})`
  return [flags, `${description}${mandatory ? ' (required)' : ''}${shown}`]
}

function table(heading: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return []
  const escape = (text: string): string => text.replace(/\|/g, '\\|').replace(/\n/g, ' ')
  return [`| ${heading} | |\n|---|---|\n${rows.map(([name, about]) => `| \`${escape(name)}\` | ${escape(about)} |`).join('\n')}\n`]
}

/** What `addHelpText('after', …)` shows: the one place where examples are written. */
function examplesOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => void (text += part) })
  command.outputHelp()
  const [, examples = ''] = text.split(/\nExamples?:\n/)
  return examples
    .split('\n')
    .map((line) => line.replace(/^ {2}/, ''))
    .join('\n')
    .trim()
}
