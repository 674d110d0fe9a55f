import { type ProviderChange, stringifyJson } from '@weft/api'

/** `size: 1 → 2` */
export function formatProviderChange({ path, before, after }: ProviderChange): string {
  if (before === undefined) return `${path}: ${show(after)}`
  return `${path}: ${show(before)} → ${after === undefined ? '(removed)' : show(after)}`
}

const show = (value: unknown): string =>
  typeof value === 'string' && (/^\((known after apply|sensitive|hidden)\)$/.test(value) || /^[A-Za-z/][^"\n]*$/.test(value))
    ? value
    : stringifyJson(value)
