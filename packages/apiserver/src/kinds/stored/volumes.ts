import { deepEqual, type FieldError, field, type KubeObject } from '@weft/api'
import { column } from '../column.ts'
import type { BuiltinKind } from '../kind.ts'
import { at, isSet, recordAt, textAt, textsAt } from '../read.ts'
import { textColumn } from './columns.ts'
import { stored } from './stored.ts'

export const volumeKinds = (): readonly BuiltinKind[] => [
  stored({
    group: '',
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    namespaced: false,
    shortNames: ['pv'],
    hasStatus: true,
    columns: [
      column('Capacity', 'How much it holds.', (object) => amount(object, 'spec', 'capacity')),
      column('Access Modes', 'How it can be mounted.', (object) => modes(textsAt(object, 'spec', 'accessModes'))),
      textColumn('Reclaim Policy', 'What becomes of it when it is released.', ['spec', 'persistentVolumeReclaimPolicy']),
      column('Status', 'Where it is in its life.', phase),
      column('Claim', 'The claim that has it.', claim),
      column('StorageClass', 'Class of the storage.', className),
      textColumn('VolumeAttributesClass', 'Class of its attributes.', ['spec', 'volumeAttributesClassName'], '<unset>'),
      textColumn('Reason', 'Why it is so.', ['status', 'reason']),
    ],
    wide: [column('VolumeMode', 'Filesystem or Block.', (object) => textAt(object, 'spec', 'volumeMode') || '<unset>', { priority: 1 })],
    strategy: {
      prepareForCreate: (object) => ({ ...object, status: { phase: 'Pending' } }),
      validate: (object) => [...modeErrors(object), ...capacityErrors(recordAt(object, 'spec', 'capacity'), 'spec.capacity')],
    },
  }),
  stored({
    group: '',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    hasStatus: true,
    columns: [
      column('Status', 'Where it is in its life.', phase),
      textColumn('Volume', 'The volume that it has.', ['spec', 'volumeName']),
      column('Capacity', 'How much it holds.', (object) => (isBound(object) ? amount(object, 'status', 'capacity') : '')),
      column('Access Modes', 'How it can be mounted.', (object) =>
        isBound(object) ? modes(textsAt(object, 'status', 'accessModes')) : '',
      ),
      column('StorageClass', 'Class of the storage.', className),
      textColumn('VolumeAttributesClass', 'Class of its attributes.', ['spec', 'volumeAttributesClassName'], '<unset>'),
    ],
    wide: [column('VolumeMode', 'Filesystem or Block.', (object) => textAt(object, 'spec', 'volumeMode') || '<unset>', { priority: 1 })],
    strategy: {
      prepareForCreate: (object) => ({ ...object, status: { phase: 'Pending' } }),
      validate: claimErrors,
      validateUpdate: (next, old) => [...claimErrors(next), ...claimChangeErrors(next, old)],
    },
  }),
]

const amount = (object: KubeObject, ...path: readonly string[]): string => textAt(object, ...path, 'storage') || '0'
const isBound = (object: KubeObject): boolean => textAt(object, 'spec', 'volumeName') !== ''
const phase = (object: KubeObject): string =>
  object.metadata.deletionTimestamp === undefined ? textAt(object, 'status', 'phase') : 'Terminating'

function claim(object: KubeObject): string {
  const reference = recordAt(object, 'spec', 'claimRef')
  return isSet(at(object, 'spec', 'claimRef')) ? `${textAt(reference, 'namespace')}/${textAt(reference, 'name')}` : ''
}

/** An older way to name the class goes before the field. */
const className = (object: KubeObject): string =>
  object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? textAt(object, 'spec', 'storageClassName')

const SHORT: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}
const modes = (given: readonly string[]): string =>
  Object.keys(SHORT)
    .filter((mode) => given.includes(mode))
    .map((mode) => SHORT[mode])
    .join(',')

const MODES = ['ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod', 'ReadOnlyMany']

function modeErrors(object: KubeObject): FieldError[] {
  const given = textsAt(object, 'spec', 'accessModes')
  if (given.length === 0) return [field.required('spec.accessModes', 'at least 1 access mode is required')]
  return given.filter((mode) => !MODES.includes(mode)).map((mode) => field.notSupported('spec.accessModes', mode, MODES))
}

function capacityErrors(capacity: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  if (Object.keys(capacity).length === 0) return [field.required(path, '')]
  if (!isSet(capacity['storage'])) return [field.notSupported(path, Object.keys(capacity)[0] ?? '', ['storage'])]
  return []
}

function claimErrors(object: KubeObject): FieldError[] {
  const storage = at(object, 'spec', 'resources', 'requests', 'storage')
  const path = 'spec.resources'
  return [
    ...modeErrors(object),
    ...(isSet(storage) ? [] : [field.required(`${path}[storage]`, '')]),
    ...(/^(0|-)/.test(textAt(object, 'spec', 'resources', 'requests', 'storage')) && !/^0\./.test(String(storage))
      ? [field.invalid(`${path}[storage]`, storage, 'must be greater than zero')]
      : []),
  ]
}

const FIXED = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

function claimChangeErrors(next: KubeObject, old: KubeObject): FieldError[] {
  const kept = (object: KubeObject): object => {
    const { resources: _r, volumeAttributesClassName: _v, volumeName, ...spec } = recordAt(object, 'spec')
    // The one who binds it names its volume.
    return { ...spec, ...(textAt(old, 'spec', 'volumeName') !== '' && { volumeName }) }
  }
  return deepEqual(kept(next), kept(old)) ? [] : [field.forbidden('spec', FIXED)]
}
