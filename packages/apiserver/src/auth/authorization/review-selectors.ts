import { addErrors, field, type FieldError, isJsonObject, isLabelValue, isQualifiedName, type JsonObject } from '@weft/api'

/** Problems of `fieldSelector` and `labelSelector` in an access review. Unknown operators are let through: the client may be newer than we are. */
export function selectorErrors(type: 'fieldSelector' | 'labelSelector', selector: JsonObject | undefined, path: string): FieldError[] {
  if (selector === undefined) return []
  const raw = typeof selector['rawSelector'] === 'string' ? selector['rawSelector'] : ''
  const requirements = Array.isArray(selector['requirements']) ? selector['requirements'] : []
  const errors: FieldError[] = []
  if (raw !== '' && requirements.length > 0)
    errors.push(field.invalid(`${path}.rawSelector`, raw, 'may not specified at the same time as requirements'))
  if (raw === '' && requirements.length === 0)
    errors.push(field.required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`))
  requirements.forEach((requirement, index) => {
    const at = `${path}.requirements[${index}]`
    if (isJsonObject(requirement)) addErrors(errors, operatorErrors(requirement, at), keyErrors(type, requirement, at))
  })
  return errors
}

function operatorErrors(requirement: JsonObject, path: string): FieldError[] {
  const count = valuesOf(requirement).length
  const operator = requirement['operator']
  if ((operator === 'In' || operator === 'NotIn') && count === 0)
    return [field.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
  if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0)
    return [field.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
  return []
}

function keyErrors(type: 'fieldSelector' | 'labelSelector', requirement: JsonObject, path: string): FieldError[] {
  const key = typeof requirement['key'] === 'string' ? requirement['key'] : ''
  if (type === 'fieldSelector') return key === '' ? [field.required(`${path}.key`, 'must be specified')] : []
  return [
    ...isQualifiedName(key).map((why) => field.invalid(`${path}.key`, key, why)),
    ...valuesOf(requirement).flatMap((value, i) =>
      isLabelValue(String(value)).map((why) => field.invalid(`${path}.values[${i}]`, value, why)),
    ),
  ]
}

const valuesOf = (requirement: JsonObject): readonly unknown[] => (Array.isArray(requirement['values']) ? requirement['values'] : [])
