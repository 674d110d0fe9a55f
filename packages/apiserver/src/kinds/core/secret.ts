import {
  addErrors,
  type FieldError,
  type KubeObject,
  deepEqual,
  field,
  getOwn,
  indexPath,
  isJsonObject,
  jsonSyntaxError,
  parseJson,
  setOwn,
} from '@weft/api'
import { ageColumn, column, nameColumn, textCell } from '../column.ts'
import { jsonType } from '../go-names.ts'
import { type BuiltinKind, builtin } from '../kind.ts'
import { recordAt, textAt } from '../read.ts'
import { strategy, withField } from '../strategy.ts'
import { IMMUTABLE_DATA, MAX_DATA_BYTES, base64Size, isDataKey } from './data-keys.ts'
import { secret as message } from './messages.ts'
import { keyPairWarning } from './tls-key-pair.ts'

export const secret: BuiltinKind = builtin({
  group: '',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  message,
  columns: [
    nameColumn,
    column('Type', 'What the data is for.', textCell('type')),
    column('Data', 'Number of entries.', (object) => Object.keys(recordAt(object, 'data')).length),
    ageColumn,
  ],
  selectableFields: { type: (object) => textAt(object, 'type') },
  strategy: strategy({
    default: (object) => withType(mergeStringData(object), 'Opaque'),
    prepareForUpdate: (next, old) => withType(next, textAt(old, 'type')),
    validate,
    validateUpdate: (next, old) => [...validateChange(next, old), ...validate(next)],
    warnings,
  }),
})

const withType = (object: KubeObject, type: string): KubeObject =>
  textAt(object, 'type') === '' && type !== '' ? { ...object, type } : object

/** stringData is write-only: its entries replace those of data. */
function mergeStringData(object: KubeObject): KubeObject {
  if (!Object.hasOwn(object, 'stringData')) return object
  const data: Record<string, unknown> = { ...recordAt(object, 'data') }
  for (const [key, value] of Object.entries(recordAt(object, 'stringData')))
    setOwn(data, key, Buffer.from(String(value)).toString('base64'))
  const rest = withField(object, 'stringData', undefined)
  return Object.keys(data).length > 0 ? { ...rest, data } : rest
}

function validate(object: KubeObject): FieldError[] {
  const data = recordAt(object, 'data')
  const errors: FieldError[] = []
  let size = 0
  for (const [key, value] of Object.entries(data)) {
    addErrors(
      errors,
      isDataKey(key).map((why) => field.invalid(indexPath('data', key), key, why)),
    )
    size += base64Size(value)
  }
  if (size > MAX_DATA_BYTES) errors.push(field.tooLong('data', MAX_DATA_BYTES))
  return [...errors, ...validateType(object)]
}

const ACCOUNT_NAME = 'kubernetes.io/service-account.name'

/** What each well-known type needs to have. */
function validateType(object: KubeObject): FieldError[] {
  const data = recordAt(object, 'data')
  const needs = (key: string): FieldError => field.required(indexPath('data', key))
  const missing = (...keys: string[]): FieldError[] => keys.filter((key) => !Object.hasOwn(data, key)).map(needs)
  switch (textAt(object, 'type')) {
    case 'kubernetes.io/service-account-token':
      return textAt(object, 'metadata', 'annotations', ACCOUNT_NAME) === ''
        ? [field.required(indexPath('metadata.annotations', ACCOUNT_NAME))]
        : []
    case 'kubernetes.io/dockercfg':
      return validateJson(data, '.dockercfg')
    case 'kubernetes.io/dockerconfigjson':
      return validateJson(data, '.dockerconfigjson')
    case 'kubernetes.io/basic-auth': {
      const absent = missing('username', 'password')
      return absent.length === 2 ? absent : []
    }
    case 'kubernetes.io/ssh-auth':
      return base64Size(getOwn(data, 'ssh-privatekey')) === 0 ? [needs('ssh-privatekey')] : []
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key')
    default:
      return []
  }
}

/** The entry must be there and hold a JSON object. Its content never appears in the message. */
function validateJson(data: object, key: string): FieldError[] {
  const path = indexPath('data', key)
  if (!Object.hasOwn(data, key)) return [field.required(path)]
  const problem = jsonObjectProblem(Buffer.from(String(getOwn(data, key)), 'base64').toString('utf8'))
  return problem === '' ? [] : [field.invalid(path, '<secret contents redacted>', problem)]
}

function jsonObjectProblem(text: string): string {
  if (text === '') return 'unexpected end of JSON input'
  try {
    const { value } = parseJson(text)
    return isJsonObject(value) || value === null
      ? ''
      : `json: cannot unmarshal ${jsonType(value)} into Go value of type map[string]interface {}`
  } catch {
    return jsonSyntaxError(Buffer.from(text))
  }
}

function validateChange(next: KubeObject, old: KubeObject): FieldError[] {
  const errors: FieldError[] = []
  if (textAt(next, 'type') !== textAt(old, 'type')) errors.push(field.invalid('type', textAt(next, 'type'), 'field is immutable'))
  if (old['immutable'] !== true) return errors
  if (next['immutable'] !== true) errors.push(field.forbidden('immutable', IMMUTABLE_DATA))
  if (!deepEqual(recordAt(next, 'data'), recordAt(old, 'data'))) errors.push(field.forbidden('data', IMMUTABLE_DATA))
  return errors
}

function warnings(object: KubeObject): readonly string[] {
  if (textAt(object, 'type') !== 'kubernetes.io/tls') return []
  const bytes = (key: string): Buffer => Buffer.from(textAt(object, 'data', key), 'base64')
  const warning = keyPairWarning(bytes('tls.crt'), bytes('tls.key'))
  return warning === undefined ? [] : [warning]
}
