import { type FieldError, type KubeObject, field, indexPath } from '@weft/api'
import { validateLabelRequirement, validateOperator } from '../label-selector.ts'
import { isSet, listAt, recordAt, textAt } from '../read.ts'

/** What is wrong with an access review. A review must carry no metadata, since it is never stored. */
export const validateAccessReview = (object: KubeObject): FieldError[] => [
  ...validateAttributes(object),
  ...validateSubject(object),
  ...validateSelectors(object),
  ...validateMetadata(object, [], 'must be empty'),
]

export const validateSelfAccessReview = (object: KubeObject): FieldError[] => [
  ...validateAttributes(object),
  ...validateSelectors(object),
  ...validateMetadata(object, [], 'must be empty'),
]

export function validateLocalAccessReview(object: KubeObject): FieldError[] {
  const spec = recordAt(object, 'spec')
  const errors = [
    ...validateAttributes(object),
    ...validateSubject(object),
    ...validateSelectors(object),
    ...validateMetadata(object, ['namespace'], 'must be empty except for namespace'),
  ]
  const namespace = textAt(spec, 'resourceAttributes', 'namespace')
  if (isSet(spec['resourceAttributes']) && namespace !== (object.metadata.namespace ?? ''))
    errors.push(field.invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'))
  if (isSet(spec['nonResourceAttributes']))
    errors.push(field.invalid('spec.nonResourceAttributes', spec['nonResourceAttributes'], 'disallowed on this kind of request'))
  return errors
}

function validateAttributes(object: KubeObject): FieldError[] {
  const spec = recordAt(object, 'spec')
  const resource = isSet(spec['resourceAttributes'])
  const path = isSet(spec['nonResourceAttributes'])
  if (resource && path)
    return [
      field.invalid(
        'spec.nonResourceAttributes',
        spec['nonResourceAttributes'],
        'cannot be specified in combination with resourceAttributes',
      ),
    ]
  if (resource || path) return []
  return [field.invalid('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified')]
}

function validateSubject(object: KubeObject): FieldError[] {
  const user = textAt(object, 'spec', 'user')
  if (user !== '' || listAt(object, 'spec', 'groups').length > 0) return []
  return [field.invalid('spec.user', user, 'at least one of user or group must be specified')]
}

/** Operators of newer clients are let through: the authorizer treats what it does not know as no restriction. */
function validateSelectors(object: KubeObject): FieldError[] {
  return ['fieldSelector', 'labelSelector'].flatMap((name) => {
    const selector = recordAt(object, 'spec', 'resourceAttributes')[name]
    if (!isSet(selector)) return []
    const path = `spec.resourceAttributes.${name}`
    const raw = textAt(selector, 'rawSelector')
    const requirements = listAt(selector, 'requirements')
    const errors: FieldError[] = []
    if (raw !== '' && requirements.length > 0)
      errors.push(field.invalid(`${path}.rawSelector`, raw, 'may not specified at the same time as requirements'))
    if (raw === '' && requirements.length === 0)
      errors.push(field.required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`))
    const check = name === 'labelSelector' ? validateLabelRequirement : validateFieldRequirement
    return [
      ...errors,
      ...requirements.flatMap((each, index) => check(each, indexPath(`${path}.requirements`, index), { allowUnknownOperators: true })),
    ]
  })
}

function validateFieldRequirement(requirement: unknown, path: string, rules: { allowUnknownOperators: boolean }): FieldError[] {
  const missing = textAt(requirement, 'key') === '' ? [field.required(`${path}.key`, 'must be specified')] : []
  return [...missing, ...validateOperator(requirement, path, rules)]
}

function validateMetadata(object: KubeObject, allowed: readonly string[], why: string): FieldError[] {
  const given = Object.entries(object.metadata).filter(
    ([name, value]) => isSet(value) && name !== 'managedFields' && !allowed.includes(name),
  )
  return given.length === 0 ? [] : [field.invalid('metadata', object.metadata, why)]
}
