import type { KubeObject } from '@weft/api'
import { parse, stringify } from 'yaml'

/** As a person wants to read it: without the ledger of who owns which field. */
export function toYaml(object: KubeObject): string {
  const { managedFields: _, ...metadata } = object.metadata
  return stringify({ ...object, metadata }, { lineWidth: 140, aliasDuplicateObjects: false })
}

/** Throws an Error whose message says where the text is wrong. */
export function fromYaml(text: string): KubeObject {
  const value: unknown = parse(text, { maxAliasCount: 100 })
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('This is no object: it needs apiVersion, kind and metadata.')
  const { apiVersion, kind, metadata } = value as Partial<KubeObject>
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof metadata !== 'object' || metadata === null)
    throw new Error('An object needs apiVersion, kind and metadata.')
  return value as KubeObject
}
