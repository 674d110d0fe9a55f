import {
  type FieldError,
  type KubeObject,
  deepEqual,
  field,
  indexPath,
  isDns1035Label,
  isDns1123Subdomain,
  isJsonObject,
  isQualifiedName,
} from '@weft/api'
import { validateLabelSelector } from '../label-selector.ts'
import { at, isSet, listAt, numberAt, recordAt, textAt, textsAt } from '../read.ts'
import { validateClientConfig } from './client-config.ts'
import { FAILURE_POLICIES, MATCH_POLICIES, REINVOCATION_POLICIES, validateChoice, validateMatchConditions, validateRule } from './rules.ts'

type Kind = 'validating' | 'mutating'

/** Fills in what a configuration leaves out. */
export function withWebhookDefaults(object: KubeObject, kind: Kind): KubeObject {
  const webhooks = listAt(object, 'webhooks')
  if (webhooks.length === 0) return object
  return { ...object, webhooks: webhooks.map((hook) => (isJsonObject(hook) ? withDefaults(hook, kind) : hook)) }
}

function withDefaults(hook: object, kind: Kind): object {
  const given = Object.fromEntries(Object.entries(hook).filter(([, value]) => isSet(value)))
  const config = recordAt(hook, 'clientConfig')
  const service = config['service']
  const rules = listAt(hook, 'rules').map(withScope)
  return {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
    ...(kind === 'mutating' && { reinvocationPolicy: 'Never' }),
    ...given,
    clientConfig: isJsonObject(service) && !isSet(service['port']) ? { ...config, service: { ...service, port: 443 } } : config,
    ...(rules.length > 0 && { rules }),
  }
}

/** Rules apply to namespaced and cluster-wide resources alike unless they say which. */
export const withScope = (rule: unknown): unknown => (isJsonObject(rule) && !isSet(rule['scope']) ? { ...rule, scope: '*' } : rule)

/** What was allowed once stays allowed in objects that are stored with it. */
interface Tolerances {
  readonly sideEffects: boolean
  readonly reviewVersions: boolean
  readonly repeatedNames: boolean
  readonly labelValues: boolean
  readonly matchConditions: boolean
}

const STRICT: Tolerances = { sideEffects: false, reviewVersions: false, repeatedNames: false, labelValues: false, matchConditions: false }

export function validateWebhooks(object: KubeObject, old?: KubeObject): FieldError[] {
  const tolerances = old === undefined ? STRICT : tolerancesOf(object, old)
  const names = new Set<string>()
  return listAt(object, 'webhooks').flatMap((hook, index) => {
    const path = indexPath('webhooks', index)
    const name = textAt(hook, 'name')
    const repeated = !tolerances.repeatedNames && name !== '' && names.has(name) ? [field.duplicate(`${path}.name`, name)] : []
    names.add(name)
    return [...validateWebhook(hook, path, tolerances), ...validateReviewVersions(hook, path, tolerances), ...repeated]
  })
}

function tolerancesOf(object: KubeObject, old: KubeObject): Tolerances {
  const hooks = listAt(old, 'webhooks')
  const names = hooks.map((hook) => textAt(hook, 'name'))
  return {
    sideEffects: hooks.some((hook) => !NO_SIDE_EFFECTS.includes(textAt(hook, 'sideEffects'))),
    reviewVersions: hooks.some((hook) => !textsAt(hook, 'admissionReviewVersions').some((version) => REVIEW_VERSIONS.includes(version))),
    repeatedNames: new Set(names).size < names.length,
    labelValues: hooks.some((hook) => SELECTORS.some((name) => validateLabelSelector(at(hook, name), '').length > 0)),
    matchConditions: sameConditions(listAt(object, 'webhooks'), hooks),
  }
}

/** Conditions that did not change are not checked again. */
function sameConditions(next: readonly unknown[], old: readonly unknown[]): boolean {
  return (
    next.length === old.length &&
    next.every((hook, index) => deepEqual(listAt(hook, 'matchConditions'), listAt(old[index], 'matchConditions')))
  )
}

const SELECTORS = ['namespaceSelector', 'objectSelector']
const NO_SIDE_EFFECTS = ['None', 'NoneOnDryRun']
const ANY_SIDE_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown']
const REVIEW_VERSIONS = ['v1', 'v1beta1']

function validateWebhook(hook: unknown, path: string, tolerances: Tolerances): FieldError[] {
  const sideEffects = at(hook, 'sideEffects')
  const classes = tolerances.sideEffects ? ANY_SIDE_EFFECTS : NO_SIDE_EFFECTS
  const timeout = numberAt(hook, 'timeoutSeconds')
  const selectors = SELECTORS.flatMap((name) =>
    isSet(at(hook, name)) ? validateLabelSelector(at(hook, name), `${path}.${name}`, { allowInvalidValues: tolerances.labelValues }) : [],
  )
  return [
    ...validateHookName(textAt(hook, 'name'), `${path}.name`),
    ...listAt(hook, 'rules').flatMap((rule, index) => validateRule(rule, indexPath(`${path}.rules`, index))),
    ...validateChoice(at(hook, 'failurePolicy'), `${path}.failurePolicy`, FAILURE_POLICIES),
    ...validateChoice(at(hook, 'matchPolicy'), `${path}.matchPolicy`, MATCH_POLICIES),
    ...(isSet(sideEffects)
      ? validateChoice(sideEffects, `${path}.sideEffects`, classes)
      : [field.required(`${path}.sideEffects`, `must specify one of ${classes.join(', ')}`)]),
    ...(timeout !== undefined && (timeout < 1 || timeout > 30)
      ? [field.invalid(`${path}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...selectors,
    ...validateChoice(at(hook, 'reinvocationPolicy'), `${path}.reinvocationPolicy`, REINVOCATION_POLICIES),
    ...validateClientConfig(at(hook, 'clientConfig'), `${path}.clientConfig`),
    ...(tolerances.matchConditions
      ? []
      : validateMatchConditions(listAt(hook, 'matchConditions'), `${path}.matchConditions`, isQualifiedName)),
  ]
}

function validateHookName(name: string, path: string): FieldError[] {
  if (name === '') return [field.required(path)]
  const wrong = isDns1123Subdomain(name)
  if (wrong.length > 0) return [field.invalid(path, name, wrong.join(','))]
  return name.split('.').length < 3 ? [field.invalid(path, name, 'should be a domain with at least three segments separated by dots')] : []
}

function validateReviewVersions(hook: unknown, hookPath: string, tolerances: Tolerances): FieldError[] {
  const path = `${hookPath}.admissionReviewVersions`
  const versions = textsAt(hook, 'admissionReviewVersions')
  if (versions.length === 0) return [field.required(path, `must specify one of ${REVIEW_VERSIONS.join(', ')}`)]
  const errors = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [field.invalid(indexPath(path, index), version, 'duplicate version')]
      : isDns1035Label(version).map((why) => field.invalid(indexPath(path, index), version, why)),
  )
  if (!tolerances.reviewVersions && !versions.some((version) => REVIEW_VERSIONS.includes(version)))
    errors.push(field.invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`))
  return errors
}
