import { type Diagnostic, errorsOf, pathText } from '../protocol/diagnostic.ts'
import type { Problem } from './problem.ts'

/**
 * A provider refused, or broke the rules of the protocol. The message says what it said, and may quote values, secrets too: redact it before
 * anybody reads it.
 */
export class ProviderFailure extends Error {
  /** What was being done: `read`, `plan`, `apply` … */
  readonly call: string
  readonly diagnostics: readonly Diagnostic[]

  constructor(call: string, diagnostics: readonly Diagnostic[]) {
    super(errorsOf(diagnostics).map(diagnosticText).join('; '))
    this.name = 'ProviderFailure'
    this.call = call
    this.diagnostics = diagnostics
  }
}

export const diagnosticText = ({ summary, detail, path }: Diagnostic): string => {
  const where = path.length === 0 ? '' : `${pathText(path)}: `
  return `${where}${summary}${detail === '' || detail === summary ? '' : `: ${detail}`}`
}

export function throwErrors(call: string, diagnostics: readonly Diagnostic[]): void {
  if (errorsOf(diagnostics).length > 0) throw new ProviderFailure(call, diagnostics)
}

/** A fault of the provider's own, which only its authors can mend. */
export const providerFault = (call: string, problems: readonly Problem[]): ProviderFailure =>
  new ProviderFailure(
    call,
    problems.map(({ path, message }) => ({
      severity: 'error',
      summary: message,
      detail: 'this is a fault of the provider: report it to its authors',
      path,
    })),
  )
