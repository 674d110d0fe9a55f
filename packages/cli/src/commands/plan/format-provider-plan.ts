import { describeProviderPlan, type ProviderChange, type ProviderPlan, stringifyJson } from '@weft/api'
import { style } from '../../report.ts'

const COLOURS = { none: 'dim', create: 'green', update: 'yellow', replace: 'red', unknown: 'yellow' } as const

/** The sentence, and below it what the provider decides or changes. Without an end of line. */
export function formatProviderPlan(plan: ProviderPlan): string {
  const head = style(COLOURS[plan.action], describeProviderPlan(plan), process.stdout)
  const fields = plan.action === 'unknown' ? [] : plan.fields
  return [head, ...fields.map((field) => `  ${formatProviderChange(field)}`)].join('\n')
}

/** `size: 1 → 2` */
export function formatProviderChange({ path, before, after }: ProviderChange): string {
  if (before === undefined) return `${path}: ${show(after)}`
  return `${path}: ${show(before)} → ${after === undefined ? '(removed)' : show(after)}`
}

const show = (value: unknown): string =>
  typeof value === 'string' && (/^\((known after apply|sensitive|hidden)\)$/.test(value) || /^[A-Za-z/][^"\n]*$/.test(value))
    ? value
    : stringifyJson(value)
