import type { KubeObject } from '@weft/api'
import { parse, stringify, YAMLParseError } from 'yaml'

/** As a person wants to read it: without the ledger of who owns which field. */
export function toYaml(object: KubeObject): string {
  const { managedFields: _, ...metadata } = object.metadata
  return partToYaml({ ...object, metadata })
}

/** A part of an object, as it is. */
export const partToYaml = (part: object): string => stringify(part, { lineWidth: 140, aliasDuplicateObjects: false })

/** Integers are numbers where that keeps them as they are. */
const small = (_: unknown, value: unknown): unknown =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value

/** Throws an Error whose message says where the text is wrong. */
export function fromYaml(text: string): KubeObject {
  const value: unknown = parse(text, small, { maxAliasCount: 100, intAsBigInt: true })
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('This is not an object: apiVersion, kind and metadata are required.')
  const { apiVersion, kind, metadata } = value as Partial<KubeObject>
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof metadata !== 'object' || metadata === null)
    throw new Error('An object requires apiVersion, kind and metadata.')
  return value as KubeObject
}

/** The line of the text that a failure of fromYaml is about, where it is about one. */
export const lineOf = (error: unknown): number | undefined => (error instanceof YAMLParseError ? error.linePos?.[0].line : undefined)
