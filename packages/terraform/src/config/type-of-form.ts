import type { Form } from '../kinds/shape.ts'
import { DYNAMIC, listOf, mapOf, objectOf, setOf, tupleOf, type Type } from '../value/type.ts'

const types = new WeakMap<Form, Type>()

/** The provider's type of a form. Made once for each. */
export function typeOfForm(form: Form): Type {
  const known = types.get(form)
  if (known !== undefined) return known
  const type = make(form)
  types.set(form, type)
  return type
}

function make(form: Form): Type {
  switch (form.kind) {
    case 'list':
      return form.untyped ? DYNAMIC : listOf(typeOfForm(form.element))
    case 'set':
      return setOf(typeOfForm(form.element))
    case 'map':
      return form.untyped ? DYNAMIC : mapOf(typeOfForm(form.element))
    case 'only':
      return form.of === 'set' ? setOf(typeOfForm(form.element)) : form.untyped ? DYNAMIC : listOf(typeOfForm(form.element))
    case 'tuple':
      return tupleOf(form.elements.map(typeOfForm))
    case 'object':
      return objectOf(new Map(form.fields.map(({ name, form: of }) => [name, typeOfForm(of)])))
    default:
      return form
  }
}
