import {
  addErrors,
  type FieldError,
  type KubeObject,
  field,
  formatTime,
  indexPath,
  isDns1035Label,
  isDns1123Subdomain,
  isJsonObject,
  isPathSegmentName,
} from '@weft/api'
import { ageColumn, column, nameColumn } from '../column.ts'
import { type BuiltinKind, builtin, part } from '../kind.ts'
import { at, isSet, listAt, numberAt, recordAt, textAt } from '../read.ts'
import { type Strategy, type StrategyContext, keepsStatus, statusOnly } from '../strategy.ts'
import { apiService as message } from './messages.ts'

const main: Strategy = keepsStatus({
  nameRule: isPathSegmentName,
  unconditionalUpdate: false,
  default: withPort,
  prepareForCreate: withLocalCondition,
  validate,
})

export const apiregistrationKinds: readonly BuiltinKind[] = [
  builtin({
    group: 'apiregistration.k8s.io',
    kind: 'APIService',
    plural: 'apiservices',
    categories: ['api-extensions'],
    namespaced: false,
    message,
    columns: [
      nameColumn,
      column('Service', 'Who serves it.', servedBy),
      column('Available', 'Whether it is served.', available),
      ageColumn,
    ],
    strategy: main,
    subresources: [part('status', message, statusOnly(main, { validateUpdate: validateStatus, resetFields: ['spec', 'metadata'] }))],
  }),
]

function servedBy(object: KubeObject): string {
  const service = at(object, 'spec', 'service')
  return isSet(service) ? `${textAt(service, 'namespace')}/${textAt(service, 'name')}` : 'Local'
}

function available(object: KubeObject): string {
  const condition = listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === 'Available')
  if (condition === undefined) return 'Unknown'
  const status = textAt(condition, 'status')
  const reason = textAt(condition, 'reason')
  return status !== 'True' && reason !== '' ? `${status} (${reason})` : status
}

function withPort(object: KubeObject): KubeObject {
  const spec = recordAt(object, 'spec')
  const service = spec['service']
  return isJsonObject(service) && !isSet(service['port']) ? { ...object, spec: { ...spec, service: { ...service, port: 443 } } } : object
}

/** What this server serves itself is available from the start. */
function withLocalCondition(object: KubeObject, { now }: StrategyContext): KubeObject {
  if (isSet(at(object, 'spec', 'service'))) return object
  const condition = {
    type: 'Available',
    status: 'True',
    lastTransitionTime: formatTime(now),
    reason: 'Local',
    message: 'Local APIServices are always available',
  }
  return { ...object, status: { conditions: [condition] } }
}

function validate(object: KubeObject): FieldError[] {
  const spec = recordAt(object, 'spec')
  const group = textAt(spec, 'group')
  const version = textAt(spec, 'version')
  const name = object.metadata.name ?? ''
  const errors: FieldError[] = []
  if (name !== `${version}.${group}`)
    errors.push(field.invalid('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(`${version}.${group}`)}`))
  if (group === '' && version !== 'v1')
    errors.push(field.required('spec.group', 'only v1 may have an empty group and it better be legacy kube'))
  if (group !== '')
    addErrors(
      errors,
      isDns1123Subdomain(group).map((why) => field.invalid('spec.group', group, why)),
    )
  addErrors(
    errors,
    isDns1035Label(version).map((why) => field.invalid('spec.version', version, why)),
  )
  addErrors(errors, validateRange(spec, 'groupPriorityMinimum', 20_000), validateRange(spec, 'versionPriority', 1000))
  return [...errors, ...(isSet(spec['service']) ? validateService(spec) : validateLocal(spec))]
}

function validateRange(spec: object, name: string, max: number): FieldError[] {
  const value = numberAt(spec, name) ?? 0
  return value > 0 && value <= max ? [] : [field.invalid(`spec.${name}`, value, `must be positive and less than ${max}`)]
}

function validateLocal(spec: object): FieldError[] {
  const errors: FieldError[] = []
  const bundle = Buffer.byteLength(textAt(spec, 'caBundle'), 'base64')
  if (bundle > 0) errors.push(field.invalid('spec.caBundle', `${bundle} bytes`, 'local APIServices may not have a caBundle'))
  if (at(spec, 'insecureSkipTLSVerify') === true)
    errors.push(field.invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'))
  return errors
}

function validateService(spec: object): FieldError[] {
  const errors = ['namespace', 'name']
    .filter((name) => textAt(spec, 'service', name) === '')
    .map((name) => field.required(`spec.service.${name}`))
  const port = numberAt(spec, 'service', 'port') ?? 443
  if (port < 1 || port > 65_535)
    errors.push(field.invalid('spec.service.port', port, 'port is not valid: must be between 1 and 65535, inclusive'))
  if (at(spec, 'insecureSkipTLSVerify') === true && textAt(spec, 'caBundle') !== '')
    errors.push(field.invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'))
  return errors
}

function validateStatus(object: KubeObject): FieldError[] {
  const statuses = ['True', 'False', 'Unknown']
  return listAt(object, 'status', 'conditions').flatMap((condition, index) => {
    const status = textAt(condition, 'status')
    return statuses.includes(status) ? [] : [field.notSupported(`${indexPath('status.conditions', index)}.status`, status, statuses)]
  })
}
