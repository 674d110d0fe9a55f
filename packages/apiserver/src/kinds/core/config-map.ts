import { addErrors, type FieldError, type KubeObject, deepEqual, field, indexPath } from '@weft/api'
import { ageColumn, column, nameColumn } from '../column.ts'
import { type BuiltinKind, builtin } from '../kind.ts'
import { recordAt } from '../read.ts'
import { strategy } from '../strategy.ts'
import { IMMUTABLE_DATA, MAX_DATA_BYTES, base64Size, isDataKey, textSize } from './data-keys.ts'
import { configMap as message } from './messages.ts'

export const configMap: BuiltinKind = builtin({
  group: '',
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
  message,
  columns: [nameColumn, column('Data', 'Number of entries.', countEntries), ageColumn],
  strategy: strategy({ validate, validateUpdate: (next, old) => [...validateImmutable(next, old), ...validate(next)] }),
})

function countEntries(object: KubeObject): number {
  return Object.keys(recordAt(object, 'data')).length + Object.keys(recordAt(object, 'binaryData')).length
}

function validate(object: KubeObject): FieldError[] {
  const data = recordAt(object, 'data')
  const binaryData = recordAt(object, 'binaryData')
  const errors: FieldError[] = []
  let size = 0
  for (const [key, value] of Object.entries(data)) {
    addErrors(
      errors,
      isDataKey(key).map((why) => field.invalid(indexPath('data', key), key, why)),
    )
    if (Object.hasOwn(binaryData, key)) errors.push(field.invalid(indexPath('data', key), key, 'duplicate of key present in binaryData'))
    size += textSize(value)
  }
  for (const [key, value] of Object.entries(binaryData)) {
    addErrors(
      errors,
      isDataKey(key).map((why) => field.invalid(indexPath('binaryData', key), key, why)),
    )
    size += base64Size(value)
  }
  // `[]` is how Kubernetes words the path of an error about the whole object here.
  if (size > MAX_DATA_BYTES) errors.push(field.tooLong('[]', MAX_DATA_BYTES))
  return errors
}

function validateImmutable(next: KubeObject, old: KubeObject): FieldError[] {
  if (old['immutable'] !== true) return []
  const errors = next['immutable'] === true ? [] : [field.forbidden('immutable', IMMUTABLE_DATA)]
  for (const name of ['data', 'binaryData']) {
    if (!deepEqual(recordAt(next, name), recordAt(old, name))) errors.push(field.forbidden(name, IMMUTABLE_DATA))
  }
  return errors
}
