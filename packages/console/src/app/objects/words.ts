import type { Condition } from '@weft/api'

const REASONS: Readonly<Record<string, string>> = {
  Available: 'it can be used',
  Unavailable: 'it cannot be used',
  Creating: 'it is being created',
  Deleting: 'it is being deleted',
  Waiting: 'it waits for something else',
  Binding: 'it is being bound',
  ReconcileSuccess: 'the last reconcile succeeded',
  ReconcileError: 'the last reconcile failed',
  ReconcilePaused: 'reconciling is paused',
}

/** `Ready`, `Not synced`, `Established is not known yet`: a condition as one would say it. */
export function conditionWords({ type, status }: Condition): string {
  const word = type.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
  if (status === 'True') return word
  if (status === 'False') return `Not ${word.charAt(0).toLowerCase()}${word.slice(1)}`
  return `${word} is not known yet`
}

/** Why, as far as the condition says: its message, else its reason in words. */
export function conditionReason({ reason, message }: Condition): string | undefined {
  const known = reason === undefined ? undefined : (REASONS[reason] ?? reason)
  return message !== undefined && message !== '' ? message : known
}

const UNITS: readonly (readonly [seconds: number, one: string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

/** `3 minutes ago`, `just now`. */
export function ago(then: string | undefined, now: number): string {
  const at = then === undefined ? Number.NaN : Date.parse(then)
  if (Number.isNaN(at)) return 'at an unknown time'
  const seconds = Math.round((now - at) / 1000)
  if (seconds < 5) return 'just now'
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 'second']
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

/** `10,000`: as the rest of the console, in English. */
export const number = (n: number): string => n.toLocaleString('en')

/** `1 claim`, `3,000 claims` */
export const count = (n: number, one: string, many = `${one}s`): string => `${number(n)} ${n === 1 ? one : many}`
