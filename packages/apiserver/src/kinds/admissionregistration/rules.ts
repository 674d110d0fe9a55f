import { addErrors, type FieldError, field, indexPath, isPathSegmentName } from '@weft/api'
import { validateLabelSelector } from '../label-selector.ts'
import { at, isSet, listAt, textAt, textsAt } from '../read.ts'

export const FAILURE_POLICIES: readonly string[] = ['Fail', 'Ignore']
export const REINVOCATION_POLICIES: readonly string[] = ['IfNeeded', 'Never']
export const MATCH_POLICIES: readonly string[] = ['Equivalent', 'Exact']
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const SCOPES = ['*', 'Cluster', 'Namespaced']

/** `value` is one of `supported`, or not given at all. */
export function validateChoice(value: unknown, path: string, supported: readonly string[]): FieldError[] {
  return !isSet(value) || supported.includes(String(value)) ? [] : [field.notSupported(path, value, supported)]
}

/** Operations on resources: which requests a webhook or a policy is about. */
export function validateRule(rule: unknown, path: string): FieldError[] {
  const operations = textsAt(rule, 'operations')
  const errors = validateWildcard(operations, `${path}.operations`, 'operations')
  for (const [index, operation] of operations.entries())
    if (!OPERATIONS.includes(operation)) errors.push(field.notSupported(indexPath(`${path}.operations`, index), operation, OPERATIONS))
  addErrors(errors, validateWildcard(textsAt(rule, 'apiGroups'), `${path}.apiGroups`, 'API groups'))
  const versions = textsAt(rule, 'apiVersions')
  addErrors(errors, validateWildcard(versions, `${path}.apiVersions`, 'API versions'))
  for (const [index, version] of versions.entries())
    if (version === '') errors.push(field.required(indexPath(`${path}.apiVersions`, index)))
  return [
    ...errors,
    ...validateResources(textsAt(rule, 'resources'), `${path}.resources`),
    ...validateChoice(at(rule, 'scope'), `${path}.scope`, SCOPES),
  ]
}

function validateWildcard(values: readonly string[], path: string, what: string): FieldError[] {
  if (values.length === 0) return [field.required(path)]
  return values.length > 1 && values.includes('*') ? [field.invalid(path, values, `if '*' is present, must not specify other ${what}`)] : []
}

// `pods`, `pods/*`, `*` + `/scale`, `*` and `*/*`; a wildcard must not stand beside what it covers.
function validateResources(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [field.required(path)]
  const errors: FieldError[] = []
  const anySubresource = new Set<string>()
  const anyResource = new Set<string>()
  let plain = false
  for (const [index, each] of resources.entries()) {
    const slash = each.indexOf('/')
    if (each === '') errors.push(field.required(indexPath(path, index)))
    else if (slash < 0) plain = each !== '*'
    else addErrors(errors, validateSubresource(each, indexPath(path, index), { anySubresource, anyResource }))
  }
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(field.invalid(path, resources, "if '*/*' is present, must not specify other resources"))
  if (resources.includes('*') && plain)
    errors.push(field.invalid(path, resources, "if '*' is present, must not specify other resources without subresources"))
  return errors
}

interface SeenWildcards {
  readonly anySubresource: Set<string>
  readonly anyResource: Set<string>
}

function validateSubresource(each: string, path: string, seen: SeenWildcards): FieldError[] {
  const errors: FieldError[] = []
  const slash = each.indexOf('/')
  const resource = each.slice(0, slash)
  const subresource = each.slice(slash + 1)
  if (seen.anySubresource.has(resource)) errors.push(field.invalid(path, each, `if '${resource}/*' is present, must not specify ${each}`))
  if (seen.anyResource.has(subresource))
    errors.push(field.invalid(path, each, `if '*/${subresource}' is present, must not specify ${each}`))
  if (subresource === '*') seen.anySubresource.add(resource)
  if (resource === '*') seen.anyResource.add(subresource)
  return errors
}

/** Which requests a policy or its binding is about. */
export function validateMatchResources(match: unknown, path: string): FieldError[] {
  if (!isSet(match)) return []
  const errors: FieldError[] = []
  const policy = at(match, 'matchPolicy')
  addErrors(errors, isSet(policy) ? validateChoice(policy, `${path}.matchPolicy`, MATCH_POLICIES) : [field.required(`${path}.matchPolicy`)])
  for (const name of ['namespaceSelector', 'objectSelector']) {
    const selector = at(match, name)
    addErrors(errors, isSet(selector) ? validateLabelSelector(selector, `${path}.${name}`) : [field.required(`${path}.${name}`)])
  }
  for (const name of ['resourceRules', 'excludeResourceRules'])
    addErrors(
      errors,
      listAt(match, name).flatMap((rule, index) => validateNamedRule(rule, indexPath(`${path}.${name}`, index))),
    )
  return errors
}

function validateNamedRule(rule: unknown, path: string): FieldError[] {
  const names = textsAt(rule, 'resourceNames')
  const errors = names.flatMap((name, index) => {
    const at = indexPath(`${path}.resourceNames`, index)
    const repeated = names.indexOf(name) < index ? [field.duplicate(at, name)] : []
    return [...isPathSegmentName(name).map((why) => field.invalid(at, name, why)), ...repeated]
  })
  return [...errors, ...validateRule(rule, path)]
}

const MAX_MATCH_CONDITIONS = 64

/** Names and presence only; whether the expressions compile is checked where they are compiled. */
export function validateMatchConditions(
  conditions: readonly unknown[],
  path: string,
  qualifiedName: (name: string) => string[],
): FieldError[] {
  const errors = conditions.length > MAX_MATCH_CONDITIONS ? [field.tooMany(path, conditions.length, MAX_MATCH_CONDITIONS)] : []
  const seen = new Set<string>()
  for (const [index, condition] of conditions.entries()) {
    const at = indexPath(path, index)
    const name = textAt(condition, 'name')
    if (textAt(condition, 'expression').trim() === '') errors.push(field.required(`${at}.expression`))
    if (name === '') errors.push(field.required(`${at}.name`))
    else
      addErrors(
        errors,
        qualifiedName(name).map((why) => field.invalid(`${at}.name`, name, why)),
      )
    if (name !== '' && seen.has(name)) errors.push(field.duplicate(`${at}.name`, name))
    seen.add(name)
  }
  return errors
}
