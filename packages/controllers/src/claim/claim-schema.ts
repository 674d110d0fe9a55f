import { getOwn, isJsonObject } from '@weft/api'

const CLAIM_FIELDS = ['classRef', 'resourceRef', 'writeConnectionSecretToRef']
const BINDING_FIELDS = ['classRef', 'resourceRef']
const KEEPS_ALL = 'x-kubernetes-preserve-unknown-fields'

/** F2: does the schema of a kind have what makes a claim? Nobody needs to say that such a kind is one. */
export const hasClaimFields = (schema: unknown): boolean => hasFields(schema, CLAIM_FIELDS)

/** F2: could objects of a kind with this schema be claims? What binding writes into them must not be pruned away. */
export const allowsClaimFields = (schema: unknown): boolean =>
  hasFields(schema, BINDING_FIELDS) || [[], ['properties', 'spec']].some((path) => getIn(schema, [...path, KEEPS_ALL]) === true)

const hasFields = (schema: unknown, fields: readonly string[]): boolean =>
  fields.every((name) => getIn(schema, ['properties', 'spec', 'properties', name]) !== undefined)

const getIn = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (isJsonObject(node) ? getOwn(node, key) : undefined), value)
