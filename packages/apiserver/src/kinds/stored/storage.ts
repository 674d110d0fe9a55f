import { deepEqual, type FieldError, field, type KubeObject } from '@weft/api'
import { ageColumn, column } from '../column.ts'
import { type BuiltinKind, builtin } from '../kind.ts'
import { at, isSet, listAt, textAt, textsAt } from '../read.ts'
import { flagColumn, textColumn } from './columns.ts'
import { stored } from './stored.ts'

const group = 'storage.k8s.io'
const conditional = { unconditionalUpdate: false }

export const storageKinds = (): readonly BuiltinKind[] => [
  storageClass(),
  stored({
    group,
    kind: 'VolumeAttachment',
    plural: 'volumeattachments',
    namespaced: false,
    hasStatus: true,
    columns: [
      column('Attacher', 'Who attaches it.', (object) => textAt(object, 'spec', 'attacher'), { format: 'name' }),
      textColumn('PV', 'The volume.', ['spec', 'source', 'persistentVolumeName']),
      textColumn('Node', 'The node.', ['spec', 'nodeName']),
      flagColumn('Attached', 'Whether it is attached.', ['status', 'attached']),
    ],
    strategy: conditional,
  }),
  stored({
    group,
    kind: 'CSIDriver',
    plural: 'csidrivers',
    namespaced: false,
    columns: [
      flagColumn('AttachRequired', 'Whether volumes are attached.', ['spec', 'attachRequired'], true),
      flagColumn('PodInfoOnMount', 'Whether the driver requires information about the pod.', ['spec', 'podInfoOnMount']),
      flagColumn('StorageCapacity', 'Whether it tells how much there is.', ['spec', 'storageCapacity']),
      column('TokenRequests', 'Audiences of the tokens it gets.', (object) =>
        isSet(at(object, 'spec', 'tokenRequests'))
          ? listAt(object, 'spec', 'tokenRequests')
              .map((request) => textAt(request, 'audience'))
              .join(',')
          : '<unset>',
      ),
      flagColumn('RequiresRepublish', 'Whether volumes are published again and again.', ['spec', 'requiresRepublish']),
      column('Modes', 'How long its volumes live.', (object) => textsAt(object, 'spec', 'volumeLifecycleModes').join(',') || '<none>'),
    ],
    strategy: conditional,
  }),
  stored({
    group,
    kind: 'CSINode',
    plural: 'csinodes',
    namespaced: false,
    columns: [column('Drivers', 'Number of drivers.', (object) => listAt(object, 'spec', 'drivers').length, { type: 'integer' })],
    strategy: conditional,
  }),
  withoutAge(
    stored({
      group,
      kind: 'CSIStorageCapacity',
      plural: 'csistoragecapacities',
      columns: [
        textColumn('StorageClassName', 'Class of the storage.', ['storageClassName']),
        textColumn('Capacity', 'How much there is.', ['capacity']),
      ],
      strategy: conditional,
    }),
  ),
  stored({
    group,
    kind: 'VolumeAttributesClass',
    plural: 'volumeattributesclasses',
    namespaced: false,
    shortNames: ['vac'],
    columns: [textColumn('DriverName', 'Name of the driver.', ['driverName'])],
    strategy: { validate: (object) => (textAt(object, 'driverName') === '' ? [field.required('driverName', '')] : []) },
  }),
]

const withoutAge = (kind: BuiltinKind): BuiltinKind => builtin({ ...kind, columns: kind.columns.filter((each) => each !== ageColumn) })

const DEFAULT = 'storageclass.kubernetes.io/is-default-class'
const FIXED = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const

function storageClass(): BuiltinKind {
  const kind = stored({
    group,
    kind: 'StorageClass',
    plural: 'storageclasses',
    namespaced: false,
    shortNames: ['sc'],
    columns: [
      textColumn('Provisioner', 'Who makes the volumes.', ['provisioner']),
      textColumn('ReclaimPolicy', 'What becomes of volumes that are released.', ['reclaimPolicy'], 'Delete'),
      textColumn('VolumeBindingMode', 'When volumes are made and bound.', ['volumeBindingMode'], 'Immediate'),
      column('AllowVolumeExpansion', 'Whether volumes can grow.', (object) => at(object, 'allowVolumeExpansion') === true),
    ],
    strategy: { validate: classErrors, validateUpdate: (next, old) => [...classErrors(next), ...classChangeErrors(next, old)] },
  })
  const [name, ...others] = kind.columns
  const marked = name && {
    ...name,
    cell: ({ metadata }: KubeObject) => `${metadata.name ?? ''}${metadata.annotations?.[DEFAULT] === 'true' ? ' (default)' : ''}`,
  }
  return { ...kind, columns: [...(marked ? [marked] : []), ...others] }
}

const classErrors = (object: KubeObject): FieldError[] => (textAt(object, 'provisioner') === '' ? [field.required('provisioner', '')] : [])

const classChangeErrors = (next: KubeObject, old: KubeObject): FieldError[] =>
  FIXED.filter((name) => !deepEqual(next[name], old[name])).map((name) => field.forbidden(name, 'updates to ' + name + ' are forbidden.'))
