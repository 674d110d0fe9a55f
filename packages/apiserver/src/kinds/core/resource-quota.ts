import { type FieldError, type KubeObject, field, getOwn, indexPath, isQualifiedName } from '@weft/api'
import { ageColumn, column, nameColumn } from '../column.ts'
import { type BuiltinKind, builtin, part } from '../kind.ts'
import { formatQuantity, quantityOf } from '../quantity.ts'
import { recordAt, textsAt } from '../read.ts'
import { type Strategy, keepsStatus, statusOnly } from '../strategy.ts'
import { resourceQuota as message } from './messages.ts'
import { INTEGER_RESOURCES, QUOTA_RESOURCES, validateScopeSelector, validateScopes } from './quota-scopes.ts'

const main: Strategy = keepsStatus({
  validate: validateSpec,
  validateUpdate: (next, old) => [...validateSpec(next), ...validateScopesFixed(next, old)],
  warnings: (next, old) => (old === undefined ? warnings(recordAt(next, 'spec', 'hard')) : []),
})

export const resourceQuota: BuiltinKind = builtin({
  group: '',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  namespaced: true,
  message,
  columns: [
    nameColumn,
    column('Request', 'What is used of each limit on requests.', (object) => usage(object, false)),
    column('Limit', 'What is used of each limit on limits.', (object) => usage(object, true)),
    ageColumn,
  ],
  strategy: main,
  subresources: [
    part(
      'status',
      message,
      statusOnly(main, {
        validateUpdate: (next) => [...validateAmounts(next, 'status', 'hard'), ...validateAmounts(next, 'status', 'used')],
      }),
    ),
  ],
})

function usage(object: KubeObject, limits: boolean): string {
  const hard = recordAt(object, 'status', 'hard')
  const used = recordAt(object, 'status', 'used')
  return Object.keys(hard)
    .filter((name) => name.startsWith('limits.') === limits)
    .sort()
    .map((name) => `${name}: ${String(getOwn(used, name) ?? 0)}/${String(getOwn(hard, name))}`)
    .join(', ')
}

function validateSpec(object: KubeObject): FieldError[] {
  const spec = recordAt(object, 'spec')
  return [...validateAmounts(object, 'spec', 'hard'), ...validateScopes(spec), ...validateScopeSelector(spec)]
}

function validateAmounts(object: KubeObject, ...path: [string, string]): FieldError[] {
  return Object.entries(recordAt(object, ...path)).flatMap(([name, amount]) => {
    const at = indexPath(path.join('.'), name)
    return [...validateResourceName(name, at), ...validateAmount(name, String(amount), at)]
  })
}

function validateResourceName(name: string, path: string): FieldError[] {
  const errors = isQualifiedName(name).map((why) => field.invalid(path, name, why))
  if (name.includes('/') || QUOTA_RESOURCES.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-'))
    return errors
  if (errors.length === 0) errors.push(field.invalid(path, name, 'must be a standard resource type or fully qualified'))
  return [...errors, field.invalid(path, name, 'must be a standard resource for quota')]
}

function validateAmount(name: string, amount: string, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (amount.startsWith('-')) errors.push(field.invalid(path, amount, 'must be greater than or equal to 0'))
  // A fraction is left only in decimals or in the suffixes m, u and n.
  if (isWhole(name) && /[.mun]/.test(amount)) errors.push(field.invalid(path, amount, 'must be an integer'))
  return errors
}

/** Whatever bears a domain of its own is counted in whole units. */
const isWhole = (name: string): boolean => INTEGER_RESOURCES.has(name) || isExtended(name)

function isExtended(name: string): boolean {
  if (!name.includes('/') || name.includes('kubernetes.io/') || name.startsWith('requests.')) return false
  return isQualifiedName(`requests.${name}`).length === 0
}

/** Of a new quota that lets requests be more than limits. */
function warnings(hard: Readonly<Record<string, unknown>>): string[] {
  return ['cpu', 'memory', 'ephemeral-storage'].flatMap((resource) => {
    const names = [`requests.${resource}`, ...(resource === 'ephemeral-storage' ? [] : [resource])]
    const request = names.find((name) => getOwn(hard, name) !== undefined)
    const limit = `limits.${resource}`
    if (request === undefined || getOwn(hard, limit) === undefined) return []
    const [asked, allowed] = [quantityOf(hard[request]), quantityOf(hard[limit])]
    if (asked.nanos <= allowed.nanos) return []
    return [`ResourceQuota ${request} (${formatQuantity(asked)}) should be less than ${limit} (${formatQuantity(allowed)})`]
  })
}

function validateScopesFixed(next: KubeObject, old: KubeObject): FieldError[] {
  const before = [...new Set(textsAt(old, 'spec', 'scopes'))].sort()
  const after = [...new Set(textsAt(next, 'spec', 'scopes'))].sort()
  return before.join() === after.join() ? [] : [field.invalid('spec.scopes', textsAt(next, 'spec', 'scopes'), 'field is immutable')]
}
