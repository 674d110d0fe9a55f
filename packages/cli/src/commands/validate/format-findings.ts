import { formatJson } from '../../output/index.ts'
import { style } from '../../report.ts'

export interface LocatedProblem {
  readonly severity: 'error' | 'warning'
  readonly file: string
  /** Both count from 1. */
  readonly line: number
  readonly column: number
  /** `Composition/private`; absent when the document cannot be read. */
  readonly object?: string
  readonly path: string
  readonly message: string
}

export function formatFindings(problems: readonly LocatedProblem[], output: 'text' | 'json' | 'github', objects: number): string {
  if (output === 'json') return formatJson({ objects, problems })
  if (output === 'github') return problems.map(asAnnotation).join('')
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  const summary = `${count(objects, 'object')} checked: ${count(errors, 'error')}, ${count(warnings, 'warning')}`
  return `${problems.map(asLine).join('')}${summary}\n`
}

/** `file:line:column: error: …`, as compilers print it, so that editors can jump there. */
function asLine({ severity, file, line, column, ...problem }: LocatedProblem): string {
  const colour = severity === 'error' ? 'red' : 'yellow'
  return `${nameOf(file)}:${line}:${column}: ${style(colour, severity, process.stdout)}: ${textOf(problem)}\n`
}

/** A workflow command of GitHub: it shows at the line in the pull request. */
function asAnnotation({ severity, file, line, column, ...problem }: LocatedProblem): string {
  return `::${severity} file=${property(nameOf(file))},line=${line},col=${column},title=weft validate::${data(textOf(problem))}\n`
}

const nameOf = (file: string): string => (file === '-' ? 'standard input' : file)

const textOf = ({ object, path, message }: Pick<LocatedProblem, 'object' | 'path' | 'message'>): string =>
  [object, path, message.replaceAll(/\s*\n\s*/g, ' ')].filter((part) => part !== undefined && part !== '').join(': ')

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
