import {
  badRequest,
  field,
  type FieldError,
  invalid,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  parseFieldSelector,
  parseLabelSelector,
  specOf,
} from '@weft/api'
import type { UserInfo } from '../user.ts'
import { type Attributes, type Authorizer, nonResourceAttributes, resourceAttributes } from './attributes.ts'
import { selectorErrors } from './review-selectors.ts'
import type { RuleResolver } from './rule-resolver.ts'

/**
 * The four reviews of `authorization.k8s.io/v1`: each takes the posted object and answers it with `status`.
 * They are never stored. An object that breaks a rule throws the 422 (or 400) to answer with.
 */
const GROUP = 'authorization.k8s.io'

export function evaluateSubjectAccessReview(review: KubeObject, authorizer: Authorizer): KubeObject {
  const spec = specOf(review)
  refuse([...subjectSpecErrors(spec), ...metadataErrors(review, [], 'must be empty')])
  return answered(review, spec, subjectOf(spec), authorizer)
}

export function evaluateSelfSubjectAccessReview(review: KubeObject, user: UserInfo, authorizer: Authorizer): KubeObject {
  const spec = specOf(review)
  refuse([...attributesErrors(spec), ...selectorsErrors(spec), ...metadataErrors(review, [], 'must be empty')])
  return answered(review, spec, user, authorizer)
}

/** `namespace` is the one in the URL. */
export function evaluateLocalSubjectAccessReview(review: KubeObject, namespace: string, authorizer: Authorizer): KubeObject {
  const spec = specOf(review)
  const own = review.metadata?.namespace ?? ''
  const resource = objectAt(spec, 'resourceAttributes')
  const nonResource = objectAt(spec, 'nonResourceAttributes')
  const errors = [...subjectSpecErrors(spec), ...metadataErrors(review, ['namespace'], 'must be empty except for namespace')]
  if (resource !== undefined && text(resource, 'namespace') !== own)
    errors.push(field.invalid('spec.resourceAttributes.namespace', text(resource, 'namespace'), 'must match metadata.namespace'))
  if (nonResource !== undefined) errors.push(field.invalid('spec.nonResourceAttributes', nonResource, 'disallowed on this kind of request'))
  refuse(errors)
  if (namespace === '') throw badRequest('namespace is required on this type: ')
  if (namespace !== own) throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`)
  return answered(review, spec, subjectOf(spec), authorizer)
}

export function evaluateSelfSubjectRulesReview(review: KubeObject, user: UserInfo, resolver: RuleResolver): KubeObject {
  const namespace = text(specOf(review), 'namespace')
  if (namespace === '') throw badRequest('no namespace on request')
  // The question is not repeated in the answer.
  return { apiVersion: review.apiVersion, kind: review.kind, metadata: {}, spec: {}, status: resolveRules(user, namespace, resolver) }
}

export interface SubjectRules {
  readonly resourceRules: readonly JsonObject[]
  readonly nonResourceRules: readonly JsonObject[]
  readonly incomplete: boolean
  readonly evaluationError?: string
}

/** Everything `user` may do in `namespace`, as far as RBAC says. */
export function resolveRules(user: UserInfo, namespace: string, resolver: RuleResolver): SubjectRules {
  const { rules, errors } = resolver.rulesFor(user, namespace)
  const resourceRules: JsonObject[] = []
  const nonResourceRules: JsonObject[] = []
  for (const { rule } of rules) {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule
    if (resources !== undefined && resources.length > 0)
      resourceRules.push({ verbs, ...(apiGroups && { apiGroups }), resources, ...(resourceNames && { resourceNames }) })
    if (nonResourceURLs !== undefined && nonResourceURLs.length > 0) nonResourceRules.push({ verbs, nonResourceURLs })
  }
  const evaluationError = errors.length > 1 ? `[${errors.join(', ')}]` : errors[0]
  return { resourceRules, nonResourceRules, incomplete: false, ...(evaluationError !== undefined && { evaluationError }) }
}

function answered(review: KubeObject, spec: JsonObject, user: UserInfo, authorizer: Authorizer): KubeObject {
  const { allowed, reason } = authorizer.authorize(attributesOf(spec, user))
  const evaluationError = selectorProblems(spec).join('; ')
  return { ...review, status: { allowed, ...(reason !== '' && { reason }), ...(evaluationError !== '' && { evaluationError }) } }
}

function attributesOf(spec: JsonObject, user: UserInfo): Attributes {
  const resource = objectAt(spec, 'resourceAttributes')
  if (resource === undefined) {
    const other = objectAt(spec, 'nonResourceAttributes') ?? {}
    return nonResourceAttributes(user, text(other, 'verb'), text(other, 'path'))
  }
  return resourceAttributes(user, {
    verb: text(resource, 'verb'),
    namespace: text(resource, 'namespace'),
    apiGroup: text(resource, 'group'),
    apiVersion: text(resource, 'version') || '*',
    resource: text(resource, 'resource'),
    subresource: text(resource, 'subresource'),
    name: text(resource, 'name'),
  })
}

function subjectOf(spec: JsonObject): UserInfo {
  const extra = objectAt(spec, 'extra') as Readonly<Record<string, readonly string[]>> | undefined
  const uid = text(spec, 'uid')
  return {
    username: text(spec, 'user'),
    groups: listAt(spec, 'groups') as readonly string[],
    ...(uid !== '' && { uid }),
    ...(extra && { extra }),
  }
}

function subjectSpecErrors(spec: JsonObject): FieldError[] {
  const errors = attributesErrors(spec)
  if (text(spec, 'user') === '' && listAt(spec, 'groups').length === 0)
    errors.push(field.invalid('spec.user', '', 'at least one of user or group must be specified'))
  return [...errors, ...selectorsErrors(spec)]
}

function attributesErrors(spec: JsonObject): FieldError[] {
  const resource = objectAt(spec, 'resourceAttributes')
  const other = objectAt(spec, 'nonResourceAttributes')
  if (resource !== undefined && other !== undefined)
    return [field.invalid('spec.nonResourceAttributes', other, 'cannot be specified in combination with resourceAttributes')]
  if (resource === undefined && other === undefined)
    return [field.invalid('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified')]
  return []
}

function selectorsErrors(spec: JsonObject): FieldError[] {
  const resource = objectAt(spec, 'resourceAttributes')
  if (resource === undefined) return []
  return (['fieldSelector', 'labelSelector'] as const).flatMap((name) =>
    selectorErrors(name, objectAt(resource, name), `spec.resourceAttributes.${name}`),
  )
}

/** RBAC does not look at selectors, so one that cannot be read changes nothing; the caller is told that it was ignored. */
function selectorProblems(spec: JsonObject): string[] {
  const resource = objectAt(spec, 'resourceAttributes') ?? {}
  const problems: string[] = []
  for (const [name, parse] of [
    ['fieldSelector', parseFieldSelector],
    ['labelSelector', parseLabelSelector],
  ] as const) {
    try {
      parse(text(objectAt(resource, name) ?? {}, 'rawSelector'))
    } catch {
      problems.push(`spec.resourceAttributes.${name} ignored due to parse error`)
    }
  }
  return problems
}

/** Reviews have no identity: what a client puts in metadata would be lost, so it is refused. */
function metadataErrors(review: KubeObject, allowed: readonly string[], why: string): FieldError[] {
  const given = Object.entries(review.metadata ?? {}).filter(
    ([key, value]) => key !== 'managedFields' && !allowed.includes(key) && !isEmpty(value),
  )
  return given.length === 0 ? [] : [field.invalid('metadata', review.metadata, why)]
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0 || (typeof value === 'object' && Object.keys(value).length === 0)

/** kube-apiserver forgets the kind here, and clients see it so. */
function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: GROUP, kind: '', name: '' }, errors)
}

const objectAt = (object: JsonObject, key: string): JsonObject | undefined => (isJsonObject(object[key]) ? object[key] : undefined)
const listAt = (object: JsonObject, key: string): readonly unknown[] => (Array.isArray(object[key]) ? object[key] : [])
const text = (object: JsonObject, key: string): string => (typeof object[key] === 'string' ? object[key] : '')
