import {
  addErrors,
  type FieldError,
  type KubeObject,
  deepEqual,
  field,
  indexPath,
  isDns1035Label,
  isDns1123Subdomain,
  isJsonObject,
  isPathSegmentName,
  isQualifiedName,
} from '@weft/api'
import { validateLabelSelector } from '../label-selector.ts'
import { at, isSet, listAt, recordAt, textAt, textsAt } from '../read.ts'
import { FAILURE_POLICIES, validateChoice, validateMatchConditions, validateMatchResources } from './rules.ts'
import { withScope } from './webhooks.ts'

export function withPolicyDefaults(object: KubeObject): KubeObject {
  const spec = recordAt(object, 'spec')
  return {
    ...object,
    spec: {
      ...spec,
      failurePolicy: spec['failurePolicy'] ?? 'Fail',
      ...(isJsonObject(spec['matchConstraints']) && { matchConstraints: withMatchDefaults(spec['matchConstraints']) }),
    },
  }
}

export function withBindingDefaults(object: KubeObject): KubeObject {
  const match = at(object, 'spec', 'matchResources')
  return isJsonObject(match) ? { ...object, spec: { ...recordAt(object, 'spec'), matchResources: withMatchDefaults(match) } } : object
}

function withMatchDefaults(match: object): object {
  const rules = (name: string): object => (listAt(match, name).length > 0 ? { [name]: listAt(match, name).map(withScope) } : {})
  return {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    ...Object.fromEntries(Object.entries(match).filter(([, value]) => isSet(value))),
    ...rules('resourceRules'),
    ...rules('excludeResourceRules'),
  }
}

const MAX_AUDIT_ANNOTATIONS = 20
const MAX_VALUE_EXPRESSION = 5 * 1024
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']

/** Shape only; whether the expressions compile is checked where they are compiled. */
export const validatePolicy = (object: KubeObject, old?: KubeObject): FieldError[] => [
  ...validateShared(object, old),
  ...validateChecks(object),
]

/** What validating and mutating policies have in common. */
export function validateShared(object: KubeObject, old?: KubeObject, operations?: readonly string[]): FieldError[] {
  const spec = recordAt(object, 'spec')
  const errors: FieldError[] = []
  if (isSet(spec['failurePolicy'])) addErrors(errors, validateChoice(spec['failurePolicy'], 'spec.failurePolicy', FAILURE_POLICIES))
  else errors.push(field.required('spec.failurePolicy'))
  if (isSet(spec['paramKind'])) addErrors(errors, validateParamKind(spec['paramKind'], 'spec.paramKind'))
  if (isSet(spec['matchConstraints'])) {
    addErrors(errors, validateMatchResources(spec['matchConstraints'], 'spec.matchConstraints'))
    if (listAt(spec, 'matchConstraints', 'resourceRules').length === 0) errors.push(field.required('spec.matchConstraints.resourceRules'))
    addErrors(errors, validateOperations(spec['matchConstraints'], 'spec.matchConstraints', operations))
  } else errors.push(field.required('spec.matchConstraints'))
  const conditions = listAt(spec, 'matchConditions')
  // Unchanged conditions of an unchanged parameter kind are not checked again.
  const unchanged =
    old !== undefined &&
    deepEqual(conditions, listAt(old, 'spec', 'matchConditions')) &&
    deepEqual(spec['paramKind'], at(old, 'spec', 'paramKind'))
  if (!unchanged) addErrors(errors, validateMatchConditions(conditions, 'spec.matchConditions', isQualifiedName))
  addErrors(
    errors,
    listAt(spec, 'variables').flatMap((variable, index) => validateVariable(variable, indexPath('spec.variables', index))),
  )
  return errors
}

/** Of the operations that rules may name, only `supported` mean anything to this kind of policy. */
export function validateOperations(match: unknown, path: string, supported: readonly string[] | undefined): FieldError[] {
  if (supported === undefined) return []
  return listAt(match, 'resourceRules')
    .flatMap((rule) => textsAt(rule, 'operations'))
    .filter((operation) => !supported.includes(operation))
    .map((operation) => field.notSupported(`${path}.resourceRules.operations`, operation, supported))
}

function validateChecks(object: KubeObject): FieldError[] {
  const validations = listAt(object, 'spec', 'validations')
  const annotations = listAt(object, 'spec', 'auditAnnotations')
  if (validations.length === 0 && annotations.length === 0) {
    const why = 'validations or auditAnnotations must contain at least one item'
    return [field.required('spec.validations', why), field.required('spec.auditAnnotations', why)]
  }
  const errors = validations.flatMap((validation, index) => validateValidation(validation, indexPath('spec.validations', index)))
  if (annotations.length > MAX_AUDIT_ANNOTATIONS)
    errors.push(field.invalid('spec.auditAnnotations', annotations, `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`))
  const seen = new Set<string>()
  for (const [index, annotation] of annotations.entries()) {
    const path = indexPath('spec.auditAnnotations', index)
    const key = textAt(annotation, 'key')
    addErrors(errors, validateAuditAnnotation(annotation, path, object.metadata.name ?? ''))
    if (seen.has(key)) errors.push(field.duplicate(`${path}.key`, key))
    seen.add(key)
  }
  return errors
}

function validateValidation(validation: unknown, path: string): FieldError[] {
  const errors: FieldError[] = []
  const message = textAt(validation, 'message')
  const messageExpression = textAt(validation, 'messageExpression')
  if (textAt(validation, 'expression').trim() === '') errors.push(field.required(`${path}.expression`, 'expression is not specified'))
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(field.invalid(`${path}.messageExpression`, messageExpression, 'must be non-empty if specified'))
  if (message !== '' && message.trim() === '') errors.push(field.invalid(`${path}.message`, message, 'must be non-empty if specified'))
  else if (/[\r\n]/.test(message.trim())) errors.push(field.invalid(`${path}.message`, message, 'must not contain line breaks'))
  return [...errors, ...validateChoice(at(validation, 'reason'), `${path}.reason`, REASONS)]
}

function validateAuditAnnotation(annotation: unknown, path: string, policy: string): FieldError[] {
  const key = textAt(annotation, 'key')
  const errors =
    policy === ''
      ? [field.invalid(`${path}.key`, key, 'requires metadata.name be non-empty')]
      : isQualifiedName(`${policy}/${key}`).map((why) => field.invalid(`${path}.key`, `${policy}/${key}`, why))
  const expression = textAt(annotation, 'valueExpression').trim()
  if (expression === '') errors.push(field.required(`${path}.valueExpression`, 'valueExpression is not specified'))
  else if (Buffer.byteLength(expression) > MAX_VALUE_EXPRESSION)
    errors.push(field.required(`${path}.valueExpression`, `must not exceed ${MAX_VALUE_EXPRESSION} bytes in length`))
  return errors
}

// The words that CEL keeps for itself.
const RESERVED =
  /^(?:true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$/

function validateVariable(variable: unknown, path: string): FieldError[] {
  const name = textAt(variable, 'name')
  const errors: FieldError[] = []
  if (name.trim() === '') errors.push(field.required(`${path}.name`, 'name is not specified'))
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || RESERVED.test(name))
    errors.push(field.invalid(`${path}.name`, name, 'must be a valid CEL identifier'))
  if (textAt(variable, 'expression').trim() === '') errors.push(field.required(`${path}.expression`, 'expression is not specified'))
  return errors
}

function validateParamKind(kind: unknown, path: string): FieldError[] {
  return [
    ...validateApiVersion(textAt(kind, 'apiVersion'), `${path}.apiVersion`),
    ...validateKindName(textAt(kind, 'kind'), `${path}.kind`),
  ]
}

function validateApiVersion(apiVersion: string, path: string): FieldError[] {
  if (apiVersion === '') return [field.required(path)]
  const parts = apiVersion.split('/')
  if (parts.length > 2) return [field.invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  const [group, version] = parts.length === 2 ? [parts[0] ?? '', parts[1] ?? ''] : ['', apiVersion]
  const wrongGroup = group === '' ? [] : isDns1123Subdomain(group)
  const errors = wrongGroup.length > 0 ? [field.invalid(path, group, wrongGroup.join(','))] : []
  if (version === '') return [...errors, field.invalid(path, apiVersion, 'version must be specified')]
  const wrongVersion = isDns1035Label(version)
  return wrongVersion.length > 0 ? [...errors, field.invalid(path, version, wrongVersion.join(','))] : errors
}

function validateKindName(kind: string, path: string): FieldError[] {
  if (kind === '') return [field.required(path)]
  const wrong = isDns1035Label(kind.toLowerCase())
  return wrong.length > 0 ? [field.invalid(path, kind, `may have mixed case, but should otherwise match: ${wrong.join(',')}`)] : []
}

const ACTIONS = ['Audit', 'Deny', 'Warn']

export const validateBinding = (object: KubeObject): FieldError[] => [
  ...validateSharedBinding(object),
  ...validateActions(textsAt(object, 'spec', 'validationActions')),
]

/** What bindings of validating and mutating policies have in common. */
export function validateSharedBinding(object: KubeObject): FieldError[] {
  const spec = recordAt(object, 'spec')
  const policy = textAt(spec, 'policyName')
  const name =
    policy === ''
      ? [field.required('spec.policyName')]
      : isDns1123Subdomain(policy).map((why) => field.invalid('spec.policyName', policy, why))
  return [...name, ...validateParamRef(spec['paramRef']), ...validateMatchResources(spec['matchResources'], 'spec.matchResources')]
}

function validateParamRef(ref: unknown): FieldError[] {
  if (!isSet(ref)) return []
  const path = 'spec.paramRef'
  const name = textAt(ref, 'name')
  const selector = at(ref, 'selector')
  const both = name !== '' && isSet(selector)
  const errors = name === '' ? [] : isPathSegmentName(name).map((why) => field.invalid(`${path}.name`, name, why))
  if (both) errors.push(field.forbidden(`${path}.name`, 'name and selector are mutually exclusive'))
  if (isSet(selector)) addErrors(errors, validateLabelSelector(selector, `${path}.selector`))
  if (both) errors.push(field.forbidden(`${path}.selector`, 'name and selector are mutually exclusive'))
  if (name === '' && !isSet(selector)) errors.push(field.required(path, 'one of name or selector must be specified'))
  const action = textAt(ref, 'parameterNotFoundAction')
  if (action === '') errors.push(field.required(`${path}.parameterNotFoundAction`))
  else addErrors(errors, validateChoice(action, `${path}.parameterNotFoundAction`, ['Deny', 'Allow']))
  return errors
}

function validateActions(actions: readonly string[]): FieldError[] {
  const path = 'spec.validationActions'
  const errors = actions.flatMap((action, index) => [
    ...validateChoice(action, indexPath(path, index), ACTIONS),
    ...(actions.indexOf(action) < index ? [field.duplicate(indexPath(path, index), action)] : []),
  ])
  if (actions.includes('Deny') && actions.includes('Warn'))
    errors.push(
      field.invalid(
        path,
        actions,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    )
  if (actions.length === 0) errors.push(field.required(path, 'at least one validation action is required'))
  return errors
}
