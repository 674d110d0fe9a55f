import { Fault } from '../eval/fault.ts'
import { checkDuration, checkTimestamp, parseDuration, parseTimestamp } from '../eval/time.ts'
import { compilePattern } from '../library/pattern.ts'
import type { Expr } from '../syntax/ast.ts'
import { children } from '../syntax/measure.ts'

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => isTime(parseDuration(text), checkDuration),
  timestamp: (text) => isTime(parseTimestamp(text), checkTimestamp),
  matches: (text) => succeeds(() => compilePattern(text)),
}

/** Literals that a function can never make sense of: its author is told, rather than everybody whose object it would judge. */
export function badLiteralArguments(root: Expr): { readonly at: number; readonly message: string }[] {
  const problems: { readonly at: number; readonly message: string }[] = []
  const pending: Expr[] = [root]
  for (let expr = pending.pop(); expr !== undefined; expr = pending.pop()) {
    pending.push(...children(expr))
    if (expr.kind !== 'call' || !Object.hasOwn(CHECKS, expr.fn)) continue
    const [argument] = expr.args
    if (argument?.kind === 'const' && typeof argument.value === 'string' && CHECKS[expr.fn]?.(argument.value) === false)
      problems.push({ at: argument.at, message: `invalid ${expr.fn} argument` })
  }
  return problems.sort((a, b) => a.at - b.at)
}

const isTime = (nanos: bigint | undefined, check: (nanos: bigint) => unknown): boolean =>
  nanos !== undefined && succeeds(() => check(nanos))

function succeeds(what: () => unknown): boolean {
  try {
    what()
    return true
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}
