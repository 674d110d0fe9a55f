import { addErrors, type FieldError, getOwn, type Schema } from '@weft/api'
import { required } from '../messages.ts'

/** What value validation mentions, the schema itself must describe: a field inside anyOf needs a type outside. */
export function completenessErrors(schema: Schema, path: string): FieldError[] {
  return missingFor(schema, { schema, schemaPath: path, at: path })
}

interface Context {
  /** The part of the main schema that corresponds to the value validation; undefined when it is missing. */
  readonly schema: Schema | undefined
  readonly schemaPath: string
  /** Where the value validation stands. */
  readonly at: string
}

function missingFor(validation: Schema, { schema, schemaPath, at }: Context): FieldError[] {
  const errors: FieldError[] = []
  const check = (part: Schema, step: string): void => addErrors(errors, missingForNested(part, { schema, schemaPath, at: `${at}.${step}` }))
  if (validation.not !== undefined) check(validation.not, 'not')
  for (const [i, part] of (validation.allOf ?? []).entries()) check(part, `allOf[${i}]`)
  for (const [i, part] of (validation.anyOf ?? []).entries()) check(part, `anyOf[${i}]`)
  for (const [i, part] of (validation.oneOf ?? []).entries()) check(part, `oneOf[${i}]`)
  return errors
}

function missingForNested(validation: Schema, context: Context): FieldError[] {
  const { schema, schemaPath, at } = context
  if (schema === undefined) return [required(schemaPath, `because it is defined in ${at}`)]
  const errors = missingFor(validation, context)
  if (validation.items !== undefined) {
    addErrors(errors, missingForNested(validation.items, { schema: schema.items, schemaPath: `${schemaPath}.items`, at: `${at}.items` }))
  }
  for (const [key, property] of Object.entries(validation.properties ?? {})) {
    const described = getOwn(schema.properties ?? {}, key)
    const step = `properties[${key}]`
    if (described === undefined) errors.push(required(`${schemaPath}.${step}`, `because it is defined in ${at}.${step}`))
    else addErrors(errors, missingForNested(property, { schema: described, schemaPath: `${schemaPath}.${step}`, at: `${at}.${step}` }))
  }
  return errors
}
