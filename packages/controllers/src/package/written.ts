import { deepEqual, type KubeObject } from '@weft/api'
import { PACKAGE_FIELD_MANAGER } from './kinds.ts'

/** Of an object, what tells whether it still is as a package wrote it. */
export interface Written {
  readonly generation: number
  /** The fields that are the package's: whoever writes another value takes the field over. */
  readonly fields: unknown
}

export const writtenOf = ({ metadata: { generation = 0, managedFields = [] } }: KubeObject): Written => ({
  generation,
  fields: (managedFields as readonly { readonly manager?: string; readonly operation?: string; readonly fieldsV1?: unknown }[]).find(
    ({ manager, operation }) => manager === PACKAGE_FIELD_MANAGER && operation === 'Apply',
  )?.fieldsV1,
})

/** `Kind name`. */
export const described = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name ?? ''}`

/**
 * Has somebody changed what the package wrote? Not so whoever activates a kind, reports a status, or adds what the package does not speak
 * of: writing it again would change nothing. Of what is remembered without its fields (a kind that nobody activated) any newer
 * generation counts.
 */
export function isOverwritten({ written }: { readonly written: ReadonlyMap<string, Written> }, what: string, now: Written): boolean {
  const before = written.get(what)
  if (before === undefined || now.generation < before.generation) return false
  return now.fields === undefined ? now.generation > before.generation : !deepEqual(now.fields, before.fields)
}
