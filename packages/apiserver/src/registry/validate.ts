import { addErrors, field, type FieldError, formatFieldErrors, invalid, type KubeObject, type Schema } from '@weft/api'
import type { ValidateOptions } from '@weft/schema'
import { compiledSchema } from './compiled-schema.ts'
import { validateMetadata, validateMetadataUpdate } from './metadata.ts'
import { type ResourceType, strategyFor } from './resource-type.ts'

/** Throws Invalid (422) with every problem of an object about to be created. */
export function assertValidCreate(type: ResourceType, object: KubeObject): void {
  const errors = withUncheckedRules(type, validateMetadata(type, object))
  addErrors(errors, schemaErrors(type, object))
  addErrors(errors, type.strategy.validate(object))
  assertNone(type, object, errors)
}

/**
 * Throws Invalid (422) with every problem of an update. `subresource` decides which rules apply; `warn` is told of rules that a part breaks which the
 * update left as it was.
 */
export function assertValidUpdate(
  type: ResourceType,
  next: KubeObject,
  old: KubeObject,
  { subresource, warn }: { readonly subresource: string; readonly warn: (text: string) => void },
): void {
  const errors = validateMetadataUpdate(type, next, old)
  addErrors(errors, schemaErrors(type, next, { old, warn: (error) => warn(formatFieldErrors([error])) }))
  addErrors(errors, strategyFor(type, subresource).validateUpdate(next, old))
  assertNone(type, next, errors)
}

// Built-in kinds were checked against their schema when they were decoded; their strategies know the rest.
const schemaErrors = (type: ResourceType, object: KubeObject, options: ValidateOptions = {}): readonly FieldError[] =>
  type.custom && type.schema !== undefined
    ? compiledSchema(type.schema)
        .validate(object, options)
        .filter((error) => !isRepeatedInMetadata(error))
    : []

/** Which lists of metadata are sets is for those who merge them; a finalizer may stand twice. */
const isRepeatedInMetadata = ({ type, path }: FieldError): boolean => type === 'FieldValueDuplicate' && path.startsWith('metadata.')

const BLOCKING: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

/** Some errors of metadata keep rules from being looked at, too, and the client is told. */
function withUncheckedRules(type: ResourceType, errors: FieldError[]): FieldError[] {
  if (!type.custom || !errors.some((error) => BLOCKING.has(error.type)) || type.schema === undefined || !hasRules(type.schema))
    return errors
  return [
    ...errors,
    field.invalid(
      '',
      null,
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ),
  ]
}

const withRules = new WeakMap<Schema, boolean>()

function hasRules(schema: Schema): boolean {
  let known = withRules.get(schema)
  if (known === undefined) withRules.set(schema, (known = JSON.stringify(schema).includes('"x-kubernetes-validations"')))
  return known
}

function assertNone(type: ResourceType, object: KubeObject, errors: readonly FieldError[]): void {
  // Events of events.k8s.io are judged as what they are stored as.
  if (errors.length > 0)
    throw invalid({ group: type.custom ? type.group : type.storage.group, kind: type.kind, name: object.metadata.name ?? '' }, errors)
}
