import type { Field, Form, Reference } from './shape.ts'

/** A field that can be filled from other objects: where it is, from the spec, with `[*]` for any element of a list. */
export interface ReferencePath extends Pick<Reference, 'kinds' | 'many' | 'attribute'> {
  readonly field: string
}

/** All fields of a kind that can be filled from other objects, at any depth. */
export function referencePaths(fields: readonly Field[]): readonly ReferencePath[] {
  const found: ReferencePath[] = []
  const inForm = (form: Form, path: string): void => {
    if (form.kind === 'object') inFields(form.fields, path)
    else if (form.kind === 'only') inForm(form.element, path)
    else if (form.kind === 'list' || form.kind === 'set') inForm(form.element, `${path}[*]`)
  }
  const inFields = (within: readonly Field[], path: string): void => {
    for (const { field, form, input, reference } of within) {
      if (input === 'none') continue
      const at = `${path}.${field}`
      if (reference !== undefined) found.push({ field: at, kinds: reference.kinds, many: reference.many, attribute: reference.attribute })
      inForm(form, at)
    }
  }
  for (const part of ['forProvider', 'initProvider']) inFields(fields, part)
  return found
}
