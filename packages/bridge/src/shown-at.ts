import type { JsonValue } from '@weft/api'
import { type AttributePath, Decimal, Dynamic, type Field, type Form, isArray, isMap, isUnknown, type Value } from '@weft/terraform'

const KNOWN_AFTER_APPLY = '(known after apply)'
const SENSITIVE = '(sensitive)'

/** The value at a path of a state, for people: what is sensitive is not shown, and what is not known says so. Undefined: there is none. */
export function shownAt(fields: readonly Field[], state: Value, path: AttributePath): JsonValue | undefined {
  let form: Form | undefined = { kind: 'object', fields }
  let value: Value = state
  for (const step of path) {
    if (value instanceof Dynamic) value = value.value
    if (isUnknown(value)) return KNOWN_AFTER_APPLY
    // A block that occurs once is an object to users, and a collection of one here.
    if (form?.kind === 'only') {
      value = isArray(value) ? (value[0] ?? null) : value
      form = form.element
      if (step.type !== 'attribute') continue
    }
    if (step.type === 'attribute') {
      const field: Field | undefined = form?.kind === 'object' ? form.fields.find(({ name }) => name === step.name) : undefined
      if (field !== undefined && isSecret(field)) return SENSITIVE
      value = isMap(value) ? (value.get(step.name) ?? null) : null
      form = field?.form
    } else {
      value =
        step.type === 'key' ? (isMap(value) ? (value.get(step.key) ?? null) : null) : isArray(value) ? (value[step.index] ?? null) : null
      form = form?.kind === 'list' || form?.kind === 'set' || form?.kind === 'map' ? form.element : undefined
    }
  }
  return shown(form ?? { kind: 'dynamic' }, value) ?? undefined
}

const isSecret = ({ secretField, output }: Field): boolean => secretField !== undefined || output === 'connection'

function shown(form: Form, given: Value): JsonValue | undefined {
  const value = given instanceof Dynamic ? given.value : given
  if (value === null) return undefined
  if (isUnknown(value)) return KNOWN_AFTER_APPLY
  if (form.kind === 'only') return isArray(value) && value.length > 0 ? shown(form.element, value[0] ?? null) : undefined
  if (form.kind === 'object' && isMap(value))
    return Object.fromEntries(
      form.fields.flatMap((field) => {
        const part = value.get(field.name) ?? null
        const json = part === null ? undefined : isSecret(field) ? SENSITIVE : shown(field.form, part)
        return json === undefined ? [] : [[field.field, json] as const]
      }),
    )
  if (value instanceof Decimal) return value.exactNumber() ?? value.toString()
  const inner = (i: number): Form =>
    form.kind === 'list' || form.kind === 'set' || form.kind === 'map'
      ? form.element
      : form.kind === 'tuple'
        ? (form.elements[i] ?? { kind: 'dynamic' })
        : { kind: 'dynamic' }
  if (isArray(value)) return value.map((each, i) => shown(inner(i), each) ?? null)
  if (isMap(value)) return Object.fromEntries([...value].map(([key, each]) => [key, shown(inner(0), each) ?? null]))
  return value as string | boolean
}
