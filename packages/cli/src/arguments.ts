import type { Command } from 'commander'

/** Options that kubectl takes before the command as well as after it. */
const EARLY_OPTIONS = new Set(['-n', '--namespace', '--context', '--kubeconfig', '--data-dir'])

/** `-n team get x` is `get -n team x`: what stands before the command and belongs to it is moved behind it. */
export function commandFirst(argv: readonly string[]): readonly string[] {
  const early: string[] = []
  let at = 0
  for (let arg = argv[at]; arg?.startsWith('-') === true; arg = argv[at]) {
    const [name = ''] = arg.split('=', 1)
    if (!EARLY_OPTIONS.has(name)) return argv
    const length = arg.includes('=') ? 1 : 2
    early.push(...argv.slice(at, at + length))
    at += length
  }
  const [command, ...rest] = argv.slice(at)
  return command === undefined ? argv : [command, ...early, ...rest]
}

/**
 * kubectl's habits that the parser does not know: `-o=yaml`, and `--wait=false` for an option that is a plain switch.
 * Nothing behind `--` is touched.
 */
export function normalizeArguments(command: Command, args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  return [...options.flatMap((arg) => normalize(command, arg)), ...args.slice(options.length)]
}

function normalize(command: Command, arg: string): readonly string[] {
  const short = /^(-[a-zA-Z])=([\s\S]*)$/.exec(arg)
  if (short?.[1] !== undefined && command.options.some((option) => option.short === short[1])) return [short[1], short[2] ?? '']
  const flag = /^--([a-z][a-z-]*)=(true|false)$/.exec(arg)
  if (flag === null) return [arg]
  const [, name = '', value] = flag
  const positive = command.options.find((option) => option.long === `--${name}`)
  const negative = command.options.find((option) => option.long === `--no-${name}`)
  if (positive === undefined ? negative === undefined : positive.required || positive.optional) return [arg]
  if (value === 'true') return positive === undefined ? [] : [`--${name}`]
  return negative === undefined ? [] : [`--no-${name}`]
}
