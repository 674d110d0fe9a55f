import { type FieldError, type KubeObject, field, indexPath, isDns1123Label, isQualifiedName, withMeta } from '@weft/api'
import { ageColumn, column, nameColumn, textCell } from '../column.ts'
import { type BuiltinKind, builtin, part } from '../kind.ts'
import { recordAt, textAt, textsAt } from '../read.ts'
import { type Strategy, statusOnly, strategy, withField } from '../strategy.ts'
import { namespace as message } from './messages.ts'

const main: Strategy = strategy({
  nameRule: isDns1123Label,
  default: withNameLabel,
  prepareForCreate: (object) => withNameLabel(withFinalizer({ ...object, status: { phase: 'Active' } })),
  prepareForUpdate: (next, old) => withNameLabel(withField(keepFinalizers(next, old), 'status', old['status'])),
  validate: (object) => textsAt(object, 'spec', 'finalizers').flatMap((name) => validateFinalizer(name, 'spec.finalizers')),
  resetFields: ['status'],
})

export const namespace: BuiltinKind = builtin({
  group: '',
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  // There is no deletecollection: nobody deletes all namespaces in one request.
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  message,
  columns: [nameColumn, column('Status', 'Active or Terminating.', textCell('status', 'phase')), ageColumn],
  selectableFields: { 'status.phase': (object) => textAt(object, 'status', 'phase') },
  strategy: main,
  subresources: [
    {
      name: 'finalize',
      verbs: ['update'],
      message,
      strategy: strategy({
        nameRule: isDns1123Label,
        prepareForUpdate: (next, old) => withNameLabel(withField(next, 'status', old['status'])),
        validateUpdate: (next) =>
          textsAt(next, 'spec', 'finalizers').flatMap((name, index) => validateFinalizer(name, indexPath('spec.finalizers', index))),
        resetFields: ['status'],
      }),
    },
    part('status', message, statusOnly(main, { validateUpdate: validatePhase })),
  ],
})

/** Lets selectors pick a namespace by name. It cannot be changed or removed. */
function withNameLabel(object: KubeObject): KubeObject {
  const { name, labels } = object.metadata
  if (name === undefined || name === '' || labels?.['kubernetes.io/metadata.name'] === name) return object
  return withMeta(object, { labels: { ...labels, 'kubernetes.io/metadata.name': name } })
}

function withFinalizer(object: KubeObject): KubeObject {
  const finalizers = textsAt(object, 'spec', 'finalizers')
  if (finalizers.includes('kubernetes')) return object
  return { ...object, spec: { ...recordAt(object, 'spec'), finalizers: [...finalizers, 'kubernetes'] } }
}

/** Only the finalize subresource changes them. */
function keepFinalizers(next: KubeObject, old: KubeObject): KubeObject {
  const { finalizers: _ignored, ...rest } = recordAt(next, 'spec')
  const finalizers = textsAt(old, 'spec', 'finalizers')
  return { ...next, spec: finalizers.length > 0 ? { ...rest, finalizers } : rest }
}

const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

function validateFinalizer(name: string, path: string): FieldError[] {
  const errors = isQualifiedName(name).map((why) => field.invalid(path, name, why))
  if (!name.includes('/') && !STANDARD_FINALIZERS.has(name))
    errors.push(field.invalid(path, name, 'name is neither a standard finalizer name nor is it fully qualified'))
  return errors
}

function validatePhase(next: KubeObject): FieldError[] {
  const phase = textAt(next, 'status', 'phase')
  const deleting = next.metadata.deletionTimestamp !== undefined
  if (phase === (deleting ? 'Terminating' : 'Active')) return []
  const why = deleting
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty"
  return [field.invalid('status.Phase', phase, why)]
}
