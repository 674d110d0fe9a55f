import { type FieldError, field } from '@weft/api'
import { isSet, listAt, recordAt, textAt, textsAt } from '../read.ts'

const COMPUTE = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']
const COUNTED = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const STORAGE = ['ephemeral-storage', 'requests.storage', 'requests.ephemeral-storage', 'limits.ephemeral-storage']

/** Names without a domain that a quota may limit. */
export const QUOTA_RESOURCES: ReadonlySet<string> = new Set([...COMPUTE, ...COUNTED, ...STORAGE])
export const INTEGER_RESOURCES: ReadonlySet<string> = new Set(COUNTED)

const PODS = new Set(['pods', ...COMPUTE])
const CLAIMS = new Set(['persistentvolumeclaims', 'requests.storage'])

/** What each scope can be combined with. */
const SCOPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Terminating', PODS],
  ['NotTerminating', PODS],
  ['NotBestEffort', PODS],
  ['PriorityClass', PODS],
  ['CrossNamespacePodAffinity', PODS],
  ['BestEffort', new Set(['pods'])],
  ['VolumeAttributesClass', CLAIMS],
])

const EXCLUSIVE = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const

/** Scopes that are a yes or no, so that only Exists makes sense. */
const EXISTS_ONLY = new Set(['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'])

const limits = (spec: object): string[] => Object.keys(recordAt(spec, 'hard')).filter((name) => QUOTA_RESOURCES.has(name))
const misapplied = (scope: string, spec: object): string[] => limits(spec).filter((name) => SCOPES.get(scope)?.has(name) === false)
const conflicts = (scopes: readonly string[]): number => EXCLUSIVE.filter((pair) => pair.every((scope) => scopes.includes(scope))).length

export function validateScopes(spec: object): FieldError[] {
  const scopes = textsAt(spec, 'scopes')
  const invalid = (why: string): FieldError => field.invalid('spec.scopes', scopes, why)
  const errors = scopes.flatMap((scope) => [
    ...(SCOPES.has(scope) ? [] : [invalid('unsupported scope')]),
    ...misapplied(scope, spec).map(() => invalid('unsupported scope applied to resource')),
  ])
  return [...errors, ...Array.from({ length: conflicts(scopes) }, () => invalid('conflicting scopes'))]
}

export function validateScopeSelector(spec: object): FieldError[] {
  const selector = recordAt(spec, 'scopeSelector')
  if (!isSet((spec as { scopeSelector?: unknown }).scopeSelector)) return []
  const path = 'spec.scopeSelector.matchExpressions'
  const requirements = listAt(selector, 'matchExpressions')
  const errors = requirements.flatMap((requirement) => {
    const scope = textAt(requirement, 'scopeName')
    return [
      ...(SCOPES.has(scope) ? [] : [field.invalid(`${path}.scopeName`, scope, 'unsupported scope')]),
      ...misapplied(scope, spec).map(() => field.invalid(path, selector, 'unsupported scope applied to resource')),
      ...validateOperator(requirement, scope, path),
    ]
  })
  const scopes = requirements.map((requirement) => textAt(requirement, 'scopeName'))
  const conflicting = Array.from({ length: conflicts(scopes) }, () => field.invalid(path, textsAt(spec, 'scopes'), 'conflicting scopes'))
  return [...errors, ...conflicting]
}

function validateOperator(requirement: unknown, scope: string, path: string): FieldError[] {
  const operator = textAt(requirement, 'operator')
  const values = textsAt(requirement, 'values')
  const errors: FieldError[] = []
  if (EXISTS_ONLY.has(scope) && operator !== 'Exists')
    errors.push(
      field.invalid(
        `${path}.operator`,
        operator,
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
      ),
    )
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      errors.push(field.required(`${path}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      errors.push(
        field.invalid(`${path}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"),
      )
  } else errors.push(field.invalid(`${path}.operator`, operator, 'not a valid selector operator'))
  return errors
}
