import type { Schema } from '@weft/api'
import type { Field, Form } from './shape.ts'

/** How much is said: definitions must stay within what servers take. */
export interface Detail {
  /** Objects within objects that are described; what is deeper may be anything, and the provider says whether it is right. */
  readonly depth: number
  readonly descriptions: boolean
}

const ANYTHING: Schema = { 'x-kubernetes-preserve-unknown-fields': true }

/** What a user may write. */
export function inputSchemas(fields: readonly Field[], detail: Detail): Readonly<Record<string, Schema>> {
  return Object.fromEntries(fields.flatMap((field) => (field.input === 'none' ? [] : inputEntries(field, detail))))
}

function inputEntries(field: Field, detail: Detail): readonly (readonly [string, Schema])[] {
  const { form, reference, secretField } = field
  if (secretField !== undefined) return [[secretField, described(secretSchema(form), field, detail)]]
  const own = [field.field, described(inputSchema(form, detail), field, detail)] as const
  if (reference === undefined) return [own]
  const { kinds, many, refField, selectorField } = reference
  const what = kinds.map(({ kind }) => kind).join(' or ')
  const say = (description: string) => (detail.descriptions ? { description } : {})
  const ref: Schema = many ? { type: 'array', items: REFERENCE } : REFERENCE
  return [
    own,
    [refField, { ...ref, ...say(`${many ? `Objects of kind ${what} that fill` : `The ${what} that fills`} ${field.field}.`) }],
    [selectorField, { ...SELECTOR, ...say(`Chooses a ${what} to fill ${field.field}.`) }],
  ]
}

/** The fields of an element that nothing else can give. At other places a reference, another part of the spec or nobody may give them. */
const requiredOf = (fields: readonly Field[]): readonly string[] =>
  fields.flatMap(({ input, field, secretField, reference }) =>
    input === 'required' && reference === undefined ? [secretField ?? field] : [],
  )

function inputSchema(form: Form, detail: Detail, isElement = false): Schema {
  switch (form.kind) {
    case 'string':
      return { type: 'string' }
    case 'number':
      return { type: 'number' }
    case 'bool':
      return { type: 'boolean' }
    case 'dynamic':
      return ANYTHING
    case 'tuple':
      return { type: 'array', items: ANYTHING, 'x-kubernetes-list-type': 'atomic' }
    case 'list':
    case 'set': {
      const { element, minItems, maxItems } = form
      return {
        type: 'array',
        items: inputSchema(element, detail, true),
        ...(minItems > 0 && { minItems }),
        ...(maxItems > 0 && { maxItems }),
        'x-kubernetes-list-type': form.kind === 'set' && isScalar(element) ? 'set' : 'atomic',
      }
    }
    case 'map':
      return { type: 'object', additionalProperties: inputSchema(form.element, detail, true) }
    case 'only':
      return inputSchema(form.element, detail)
    case 'object': {
      if (detail.depth <= 0) return ANYTHING
      const required = isElement ? requiredOf(form.fields) : []
      return {
        type: 'object',
        properties: inputSchemas(form.fields, deeper(detail)),
        ...(required.length > 0 && { required }),
      }
    }
    default:
      return form satisfies never
  }
}

/** What a user may read. Nothing sensitive is among it. */
export function outputSchemas(fields: readonly Field[], detail: Detail): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    fields.flatMap((field) =>
      field.output === 'status' ? [[field.field, described(outputSchema(field.form, detail), field, detail)] as const] : [],
    ),
  )
}

function outputSchema(form: Form, detail: Detail): Schema {
  switch (form.kind) {
    case 'string':
      return { type: 'string' }
    case 'bool':
      return { type: 'boolean' }
    // A number that JSON's readers would damage is written as its digits, so no type holds for all.
    case 'number':
    case 'dynamic':
      return ANYTHING
    case 'tuple':
      return { type: 'array', items: ANYTHING }
    case 'list':
    case 'set':
      return { type: 'array', items: { ...outputSchema(form.element, detail), nullable: true } }
    case 'map':
      return { type: 'object', additionalProperties: { ...outputSchema(form.element, detail), nullable: true } }
    case 'only':
      return outputSchema(form.element, detail)
    case 'object':
      return detail.depth <= 0 ? ANYTHING : { type: 'object', properties: outputSchemas(form.fields, deeper(detail)) }
    default:
      return form satisfies never
  }
}

const deeper = (detail: Detail): Detail => ({ ...detail, depth: detail.depth - 1 })

const isScalar = ({ kind }: Form): boolean => kind === 'string' || kind === 'number' || kind === 'bool'

const described = (schema: Schema, { description }: Field, { descriptions }: Detail): Schema =>
  descriptions && description !== '' ? { ...schema, description } : schema

/** A text comes from a key; a map of texts may be a whole Secret; anything else is one JSON document. */
function secretSchema(form: Form): Schema {
  if (isScalar(form)) return KEY_REFERENCE
  if ((form.kind === 'list' || form.kind === 'set') && form.element.kind === 'string') return { type: 'array', items: KEY_REFERENCE }
  return form.kind === 'map' && form.element.kind === 'string' ? SECRET_OR_KEY_REFERENCE : KEY_REFERENCE
}

const NAME: Schema = { type: 'string', minLength: 1 }
const SECRET_OR_KEY_REFERENCE: Schema = {
  type: 'object',
  required: ['name', 'namespace'],
  properties: { name: NAME, namespace: NAME, key: NAME },
}
export const KEY_REFERENCE: Schema = { ...SECRET_OR_KEY_REFERENCE, required: ['name', 'namespace', 'key'] }
const REFERENCE: Schema = { type: 'object', required: ['name'], properties: { name: NAME, namespace: NAME, kind: { type: 'string' } } }
const SELECTOR: Schema = {
  type: 'object',
  properties: {
    matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
    matchControllerRef: { type: 'boolean' },
    matchComposite: { type: 'boolean' },
    matchAggregate: { type: 'boolean' },
  },
}
