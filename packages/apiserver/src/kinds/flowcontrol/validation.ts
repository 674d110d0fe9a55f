import { deepEqual, type FieldError, field, isDns1123Label, isDns1123Subdomain, type KubeObject } from '@weft/api'
import { at, isSet, listAt, numberAt, recordAt, textAt, textsAt } from '../read.ts'
import { mandatoryFlowSchema } from './mandatory.ts'

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']
const DISTINGUISHERS = ['ByNamespace', 'ByUser']
const SUBJECTS = { ServiceAccount: 'serviceAccount', Group: 'group', User: 'user' } as const

export function validateFlowSchema(object: KubeObject): FieldError[] {
  const { name = '' } = object.metadata
  const spec = recordAt(object, 'spec')
  const errors = validateSpec(name, spec)
  const fixed = mandatoryFlowSchema(name)
  if (fixed !== undefined && !deepEqual(spec, fixed))
    errors.push(field.invalid('spec', spec, `spec of '${name}' must equal the fixed value`))
  return [...errors, ...validateConditions(object)]
}

function validateSpec(name: string, spec: Readonly<Record<string, unknown>>): FieldError[] {
  const errors: FieldError[] = []
  const precedence = numberAt(spec, 'matchingPrecedence') ?? 0
  const path = 'spec.matchingPrecedence'
  if (precedence <= 0) errors.push(field.invalid(path, precedence, 'must be a positive value'))
  if (precedence > 10_000) errors.push(field.invalid(path, precedence, 'must not be greater than 10000'))
  if (precedence === 1 && name !== 'exempt')
    errors.push(field.invalid(path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"))
  const method = spec['distinguisherMethod']
  if (isSet(method) && !DISTINGUISHERS.includes(textAt(method, 'type')))
    errors.push(field.notSupported('spec.distinguisherMethod.type', { Type: textAt(method, 'type') }, DISTINGUISHERS))
  const level = textAt(spec, 'priorityLevelConfiguration', 'name')
  const levelPath = 'spec.priorityLevelConfiguration.name'
  if (level === '') errors.push(field.required(levelPath, 'must reference a priority level'))
  else errors.push(...isDns1123Subdomain(level).map((why) => field.invalid(levelPath, level, why)))
  return [...errors, ...listAt(spec, 'rules').flatMap((rule, i) => validateRules(rule, `spec.rules[${i}]`))]
}

function validateRules(rule: unknown, path: string): FieldError[] {
  const errors: FieldError[] = []
  const subjects = listAt(rule, 'subjects')
  if (subjects.length === 0) errors.push(field.required(`${path}.subjects`, 'subjects must contain at least one value'))
  errors.push(...subjects.flatMap((subject, i) => validateSubject(subject, `${path}.subjects[${i}]`)))
  const resources = listAt(rule, 'resourceRules')
  const others = listAt(rule, 'nonResourceRules')
  if (resources.length + others.length === 0)
    errors.push(field.required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'))
  return [
    ...errors,
    ...resources.flatMap((each, i) => validateResourceRule(each, `${path}.resourceRules[${i}]`)),
    ...others.flatMap((each, i) => validateNonResourceRule(each, `${path}.nonResourceRules[${i}]`)),
  ]
}

function validateSubject(subject: unknown, path: string): FieldError[] {
  const kind = textAt(subject, 'kind')
  if (!Object.hasOwn(SUBJECTS, kind)) return [field.notSupported(`${path}.kind`, kind, ['Group', 'ServiceAccount', 'User'])]
  const own = SUBJECTS[kind as keyof typeof SUBJECTS]
  const errors = validateNamed(subject, own, path, kind)
  for (const [otherKind, other] of Object.entries(SUBJECTS).toReversed())
    if (other !== own && isSet(at(subject, other)))
      errors.push(field.forbidden(`${path}.${other}`, `${other} is forbidden when subject kind is not '${otherKind}'`))
  return errors
}

function validateNamed(subject: unknown, own: string, path: string, kind: string): FieldError[] {
  const named = at(subject, own)
  if (!isSet(named)) return [field.required(`${path}.${own}`, `${own} is required when subject kind is '${kind}'`)]
  const name = textAt(named, 'name')
  const errors: FieldError[] = []
  if (name === '') errors.push(field.required(`${path}.${own}.name`, ''))
  if (own !== 'serviceAccount') return errors
  if (name !== '' && name !== '*') errors.push(...isDns1123Subdomain(name).map((why) => field.invalid(`${path}.${own}.name`, name, why)))
  const namespace = textAt(named, 'namespace')
  const namespacePath = `${path}.${own}.namespace`
  if (namespace === '') return [...errors, field.required(namespacePath, 'must specify namespace for service account')]
  return [...errors, ...isDns1123Label(namespace).map((why) => field.invalid(namespacePath, namespace, why))]
}

function validateVerbs(rule: unknown, path: string): FieldError[] {
  const verbs = textsAt(rule, 'verbs')
  if (verbs.length === 0) return [field.required(path, 'verbs must contain at least one value')]
  if (verbs.includes('*')) return verbs.length > 1 ? [field.invalid(path, verbs, "if '*' is present, must not specify other verbs")] : []
  return verbs.every((verb) => VERBS.includes(verb)) ? [] : [field.notSupported(path, verbs, VERBS)]
}

function validateResourceRule(rule: unknown, path: string): FieldError[] {
  const errors = validateVerbs(rule, `${path}.verbs`)
  for (const [name, one, other] of [
    ['apiGroups', 'api group', 'api groups'],
    ['resources', 'resource', 'resources'],
  ] as const) {
    const values = textsAt(rule, name)
    if (values.length === 0) errors.push(field.required(`${path}.${name}`, `resource rules must supply at least one ${one}`))
    else if (values.length > 1 && values.includes('*'))
      errors.push(field.invalid(`${path}.${name}`, values, `if '*' is present, must not specify other ${other}`))
  }
  const namespaces = textsAt(rule, 'namespaces')
  const at_ = `${path}.namespaces`
  if (namespaces.length === 0 && at(rule, 'clusterScope') !== true)
    return [...errors, field.required(at_, 'resource rules that are not cluster scoped must supply at least one namespace')]
  if (namespaces.includes('*'))
    return namespaces.length > 1
      ? [...errors, field.invalid(at_, namespaces, "if '*' is present, must not specify other namespaces")]
      : errors
  const wrong = namespaces.flatMap((each, i) =>
    isDns1123Label(each).map((why) =>
      field.invalid(`${at_}[${i}]`, each, `each member of this list must be '*' or a DNS-1123 label; ${why}`),
    ),
  )
  return [...errors, ...wrong]
}

function validateNonResourceRule(rule: unknown, path: string): FieldError[] {
  const errors = validateVerbs(rule, `${path}.verbs`)
  const urls = textsAt(rule, 'nonResourceURLs')
  const urlPath = `${path}.nonResourceURLs`
  if (urls.length === 0) return [...errors, field.required(urlPath, 'nonResourceURLs must contain at least one value')]
  if (urls.includes('*'))
    return urls.length > 1
      ? [...errors, field.invalid(urlPath, urls, "if '*' is present, must not specify other non-resource URLs")]
      : errors
  return [
    ...errors,
    ...urls.flatMap((url, i) => {
      const why = urlFault(url)
      return why === undefined ? [] : [field.invalid(`${urlPath}[${i}]`, url, why)]
    }),
  ]
}

function urlFault(url: string): string | undefined {
  if (url === '') return 'must not be empty'
  if (url === '/') return undefined
  if (!url.startsWith('/')) return 'must start with slash'
  if (url.includes(' ')) return 'must not contain white-space'
  if (url.includes('//')) return 'must not contain double slash'
  const stars = url.split('*').length - 1
  return stars > 1 || (stars === 1 && !url.endsWith('/*')) ? 'wildcard can only do suffix matching' : undefined
}

/** Also of priority levels. */
export function validateConditions(object: KubeObject): FieldError[] {
  const seen = new Set<string>()
  return listAt(object, 'status', 'conditions').flatMap((condition, i) => {
    const type = textAt(condition, 'type')
    const path = `status.conditions[${i}].type`
    const errors = seen.has(type) ? [field.duplicate(path, type)] : []
    seen.add(type)
    return type === '' ? [...errors, field.required(path, '')] : errors
  })
}
