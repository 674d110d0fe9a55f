import { formOf } from './shape-of.ts'
import type { IdentitySchema } from '../schema/schema.ts'
import { camelCase } from './field-names.ts'
import type { Field } from './shape.ts'

/** What identifies a resource of a type, as fields of `spec.importIdentity`. */
export const identityFields = ({ attributes }: IdentitySchema): readonly Field[] =>
  [...attributes.values()].map(({ name, type, description }) => ({
    name,
    field: camelCase(name) || name,
    input: 'optional',
    output: 'none',
    form: formOf(type),
    absent: 'null',
    description,
    deprecated: false,
  }))
