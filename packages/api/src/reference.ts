import { getOwn, isJsonObject } from './meta.ts'

const FIELDS = new Set(['apiVersion', 'kind', 'namespace', 'name', 'uid'])

/** Names one object and says nothing else: it is read, and changes, as one. */
export const isReference = (value: unknown): value is { readonly kind: string; readonly name: string; readonly namespace?: string } =>
  isJsonObject(value) &&
  typeof getOwn(value, 'kind') === 'string' &&
  typeof getOwn(value, 'name') === 'string' &&
  Object.keys(value).every((key) => FIELDS.has(key))
