import { getOwn, isJsonObject, type JsonObject } from '@weft/api'
import type { Field, Form } from '../kinds/shape.ts'

/** A key of a Secret, or a whole one, that parameters name. */
export interface SecretRef {
  readonly namespace: string
  readonly name: string
  /** Absent: the whole Secret. */
  readonly key?: string | undefined
}

/** What was found for references to Secrets. Undefined where there is nothing. */
export type SecretLookup = (ref: SecretRef) => string | ReadonlyMap<string, string> | undefined

export const NO_SECRETS: SecretLookup = () => undefined

/** All Secrets that parameters name: to be read before they are translated. Malformed ones are left to the translation, which says what is wrong. */
export function secretRefs(fields: readonly Field[], parameters: JsonObject): readonly SecretRef[] {
  const found: SecretRef[] = []
  const inForm = (form: Form, given: unknown): void => {
    if (form.kind === 'only') inForm(form.element, given)
    else if (form.kind === 'object') inFields(form.fields, given)
    else if ((form.kind === 'list' || form.kind === 'set') && Array.isArray(given)) for (const each of given) inForm(form.element, each)
    else if (form.kind === 'map' && isJsonObject(given)) for (const each of Object.values(given)) inForm(form.element, each)
  }
  const inFields = (within: readonly Field[], given: unknown): void => {
    if (!isJsonObject(given)) return
    for (const { input, secretField, field, form } of within) {
      if (input === 'none') continue
      if (secretField === undefined) inForm(form, getOwn(given, field))
      else for (const each of [getOwn(given, secretField)].flat()) found.push(...(readRef(each) ?? []))
    }
  }
  inFields(fields, parameters)
  return found
}

/** One reference, or none where it is not one. */
export function readRef(given: unknown): readonly [SecretRef] | undefined {
  if (!isJsonObject(given)) return undefined
  const [name, namespace, key] = ['name', 'namespace', 'key'].map((part) => getOwn(given, part))
  if (typeof name !== 'string' || name === '' || typeof namespace !== 'string' || namespace === '') return undefined
  return [{ name, namespace, ...(typeof key === 'string' && key !== '' && { key }) }]
}
