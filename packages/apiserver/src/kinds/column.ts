import { type KubeObject, getOwn } from '@weft/api'
import { textAt } from './read.ts'

/** One column of `kubectl get`. `cell` is pure; ages are told from the time that is passed in. */
export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'date' | 'boolean'
  readonly format: string
  readonly description: string
  /** Above zero: wide tables only. */
  readonly priority: number
  cell(object: KubeObject, now: number): string | number | boolean
}

interface ColumnOptions {
  readonly type?: Column['type']
  readonly format?: string
  readonly priority?: number
}

export const column = (name: string, description: string, cell: Column['cell'], options: ColumnOptions = {}): Column => ({
  name,
  type: 'string',
  format: '',
  priority: 0,
  ...options,
  description,
  cell,
})

export const nameColumn: Column = column('Name', 'Name of the object.', (object) => object.metadata.name ?? '', { format: 'name' })

export const ageColumn: Column = column('Age', 'Time since the object was created.', (object, now) =>
  age(object.metadata.creationTimestamp, now),
)

/** How Go writes a time that is not set, where it must write one: of an object that is none, such as a bookmark. */
const NEVER = '0001-01-01T00:00:00Z'

/** Kinds without columns of their own show when they were created, and leave the age to the client. */
export const createdAtColumn: Column = column(
  'Created At',
  'When the object was created.',
  (object) => object.metadata.creationTimestamp ?? NEVER,
  {
    type: 'date',
  },
)

/** Time since an RFC 3339 timestamp, as kubectl writes it. */
export function age(timestamp: unknown, now: number): string {
  if (typeof timestamp !== 'string' || timestamp === '') return '<unknown>'
  return humanDuration(now - Date.parse(timestamp))
}

/** Two units while the first is small, then one: `119s`, `9m59s`, `179m`, `7h59m`, `47h`, `7d23h`, `729d`, `2y1d`. */
export function humanDuration(millis: number): string {
  const seconds = Math.trunc(millis / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return twoUnits(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return twoUnits(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (hours < 24 * 8) return twoUnits(days, 'd', hours % 24, 'h')
  if (days < 365 * 2) return `${days}d`
  const years = Math.floor(days / 365)
  return years < 8 ? twoUnits(years, 'y', days % 365, 'd') : `${years}y`
}

const twoUnits = (big: number, bigUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`

/** `a=b,c=d` in key order, `<none>` when empty. */
export function formatLabels(labels: object): string {
  const keys = Object.keys(labels).sort()
  return keys.length === 0 ? '<none>' : keys.map((key) => `${key}=${String(getOwn(labels, key))}`).join(',')
}

/** The text at a path, for columns that show a field as it is. */
export const textCell =
  (...path: readonly string[]): Column['cell'] =>
  (object) =>
    textAt(object, ...path)
