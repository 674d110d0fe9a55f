import { addErrors, type FieldError, type KubeObject, field, indexPath, isDns1123Subdomain, isPathSegmentName } from '@weft/api'
import { validateLabelSelector } from '../label-selector.ts'
import { isSet, listAt, textAt, textsAt } from '../read.ts'

export const RBAC_GROUP = 'rbac.authorization.k8s.io'

export const validateRole = (object: KubeObject): FieldError[] => validateRules(object, true)

/** A selector that was stored with invalid values may keep them. */
export function validateClusterRole(object: KubeObject, old?: KubeObject): FieldError[] {
  const errors = validateRules(object, false)
  if (!isSet(object['aggregationRule'])) return errors
  const path = 'aggregationRule.clusterRoleSelectors'
  const selectors = listAt(object, 'aggregationRule', 'clusterRoleSelectors')
  if (selectors.length === 0) errors.push(field.required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'))
  const stored = listAt(old, 'aggregationRule', 'clusterRoleSelectors')
  const allowInvalidValues = stored.some((selector) => validateLabelSelector(selector, '').length > 0)
  return [
    ...errors,
    ...selectors.flatMap((selector, index) => {
      const faults = validateLabelSelector(selector, indexPath(path, index), { allowInvalidValues })
      return hasUnknownOperator(selector) ? [...faults, field.invalid(indexPath(path, index), null, 'invalid label selector.')] : faults
    }),
  ]
}

const OPERATORS = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist'])

/** Then it cannot be read as a selector at all, which is one more complaint. */
const hasUnknownOperator = (selector: unknown): boolean =>
  listAt(selector, 'matchExpressions').some((expression) => !OPERATORS.has(textAt(expression, 'operator')))

const validateRules = (object: KubeObject, namespaced: boolean): FieldError[] =>
  listAt(object, 'rules').flatMap((rule, index) => validateRule(rule, indexPath('rules', index), namespaced))

function validateRule(rule: unknown, path: string, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = []
  const has = (name: string): boolean => listAt(rule, name).length > 0
  if (!has('verbs')) errors.push(field.required(`${path}.verbs`, 'verbs must contain at least one value'))
  if (has('nonResourceURLs')) {
    const invalid = (why: string): FieldError => field.invalid(`${path}.nonResourceURLs`, textsAt(rule, 'nonResourceURLs'), why)
    if (namespaced) errors.push(invalid('namespaced rules cannot apply to non-resource URLs'))
    if (has('apiGroups') || has('resources') || has('resourceNames'))
      errors.push(invalid('rules cannot apply to both regular resources and non-resource URLs'))
    return errors
  }
  if (!has('apiGroups')) errors.push(field.required(`${path}.apiGroups`, 'resource rules must supply at least one api group'))
  if (!has('resources')) errors.push(field.required(`${path}.resources`, 'resource rules must supply at least one resource'))
  return errors
}

export function validateBinding(object: KubeObject, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = []
  const group = textAt(object, 'roleRef', 'apiGroup')
  const kind = textAt(object, 'roleRef', 'kind')
  const name = textAt(object, 'roleRef', 'name')
  if (group !== RBAC_GROUP) errors.push(field.notSupported('roleRef.apiGroup', group, [RBAC_GROUP]))
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']
  if (!kinds.includes(kind)) errors.push(field.notSupported('roleRef.kind', kind, kinds))
  if (name === '') errors.push(field.required('roleRef.name'))
  else
    addErrors(
      errors,
      isPathSegmentName(name).map((why) => field.invalid('roleRef.name', name, why)),
    )
  const subjects = listAt(object, 'subjects').flatMap((subject, index) =>
    validateSubject(subject, indexPath('subjects', index), namespaced),
  )
  return [...errors, ...subjects]
}

function validateSubject(subject: unknown, path: string, namespaced: boolean): FieldError[] {
  const name = textAt(subject, 'name')
  const group = textAt(subject, 'apiGroup')
  const kind = textAt(subject, 'kind')
  const errors = name === '' ? [field.required(`${path}.name`)] : []
  if (kind === 'ServiceAccount') {
    if (name !== '')
      addErrors(
        errors,
        isDns1123Subdomain(name).map((why) => field.invalid(`${path}.name`, name, why)),
      )
    if (group !== '') errors.push(field.notSupported(`${path}.apiGroup`, group, ['']))
    if (!namespaced && textAt(subject, 'namespace') === '') errors.push(field.required(`${path}.namespace`))
  } else if (kind === 'User' || kind === 'Group') {
    if (group !== RBAC_GROUP) errors.push(field.notSupported(`${path}.apiGroup`, group, [RBAC_GROUP]))
  } else errors.push(field.notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']))
  return errors
}

/** A binding grants one role for good: changing it would grant other rights under a name that was reviewed. */
export function validateRoleRefFixed(next: KubeObject, old: KubeObject): FieldError[] {
  const parts = ['apiGroup', 'kind', 'name']
  if (parts.every((name) => textAt(next, 'roleRef', name) === textAt(old, 'roleRef', name))) return []
  const value = {
    APIGroup: textAt(next, 'roleRef', 'apiGroup'),
    Kind: textAt(next, 'roleRef', 'kind'),
    Name: textAt(next, 'roleRef', 'name'),
  }
  return [field.invalid('roleRef', value, 'cannot change roleRef')]
}
