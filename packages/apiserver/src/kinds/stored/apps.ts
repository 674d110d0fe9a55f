import { deepEqual, type FieldError, field, type KubeObject, withMeta } from '@weft/api'
import { column } from '../column.ts'
import type { BuiltinKind } from '../kind.ts'
import { at, isSet, listAt, numberAt, textAt } from '../read.ts'
import { TEMPLATE_GENERATION } from './defaults.ts'
import { containerColumns, countColumn, labelsColumn, readyOf, selectorColumn } from './columns.ts'
import { replicasBySelector } from './scale-fields.ts'
import { stored } from './stored.ts'
import { negative, workloadStrategy } from './workload-validation.ts'

const group = 'apps'
const template = ['spec', 'template'] as const

export const appsKinds = (): readonly BuiltinKind[] => [
  stored({
    group,
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    strategy: {
      validate: revisionErrors,
      validateUpdate: (next, old) => [
        ...negative(next['revision'], 'revision'),
        ...(deepEqual(next['data'], old['data']) ? [] : [field.invalid('data', next['data'], 'field is immutable')]),
      ],
    },
    columns: [
      column('Controller', 'Controller that it is a state of.', controllerOf),
      column('Revision', 'Number of the revision.', (object) => numberAt(object, 'revision') ?? 0),
    ],
  }),
  stored({
    group,
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    inAll: true,
    hasStatus: true,
    counted: true,
    columns: [
      countColumn('Desired', 'Nodes that it should run on.', 'status', 'desiredNumberScheduled'),
      countColumn('Current', 'Nodes that it runs on.', 'status', 'currentNumberScheduled'),
      countColumn('Ready', 'Nodes on which it is ready.', 'status', 'numberReady'),
      countColumn('Up-to-date', 'Nodes with the newest template.', 'status', 'updatedNumberScheduled'),
      countColumn('Available', 'Nodes on which it has been ready for long enough.', 'status', 'numberAvailable'),
      labelsColumn('Node Selector', 'Labels of its nodes.', [...template, 'spec', 'nodeSelector']),
    ],
    wide: [...containerColumns(...template), selectorColumn('spec', 'selector')],
    strategy: { ...workloadStrategy('daemonset'), prepareForUpdate: withTemplateGeneration },
  }),
  stored({
    group,
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    inAll: true,
    hasStatus: true,
    counted: true,
    scale: replicasBySelector,
    columns: [
      readyOf('spec', 'replicas'),
      column('Up-to-date', 'Replicas of the newest template.', (object) => numberAt(object, 'status', 'updatedReplicas') ?? 0),
      column(
        'Available',
        'Replicas that have been ready for long enough.',
        (object) => numberAt(object, 'status', 'availableReplicas') ?? 0,
      ),
    ],
    wide: [...containerColumns(...template), selectorColumn('spec', 'selector')],
    strategy: workloadStrategy('deployment'),
  }),
  stored({
    group,
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    inAll: true,
    hasStatus: true,
    counted: true,
    scale: replicasBySelector,
    columns: [
      countColumn('Desired', 'Replicas that are wanted.', 'spec', 'replicas'),
      countColumn('Current', 'Replicas that there are.', 'status', 'replicas'),
      countColumn('Ready', 'Replicas that are ready.', 'status', 'readyReplicas'),
    ],
    wide: [...containerColumns(...template), selectorColumn('spec', 'selector')],
    strategy: workloadStrategy('replicaset'),
    selectableFields: { 'status.replicas': (object) => String(numberAt(object, 'status', 'replicas') ?? 0) },
  }),
  stored({
    group,
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    inAll: true,
    hasStatus: true,
    counted: true,
    scale: replicasBySelector,
    columns: [readyOf('spec', 'replicas')],
    wide: containerColumns(...template),
    strategy: workloadStrategy('statefulset'),
  }),
]

const revisionErrors = (object: KubeObject): FieldError[] => [
  ...(isSet(object['data']) ? [] : [field.required('data', 'data is mandatory')]),
  ...negative(object['revision'], 'revision'),
]

function controllerOf(object: KubeObject): string {
  const owner = listAt(object, 'metadata', 'ownerReferences').find((reference) => at(reference, 'controller') === true)
  if (owner === undefined) return '<none>'
  const [group_ = '', version] = textAt(owner, 'apiVersion').split('/')
  const kind = textAt(owner, 'kind').toLowerCase()
  return `${kind}${version === undefined || group_ === '' ? '' : `.${group_}`}/${textAt(owner, 'name')}`
}

/** An older server's way to count changes of the template; clients still see it. */
function withTemplateGeneration(next: KubeObject, old: KubeObject): KubeObject {
  const before = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 0)
  const changed = !deepEqual(at(next, 'spec', 'template'), at(old, 'spec', 'template'))
  return withMeta(next, { annotations: { ...next.metadata.annotations, [TEMPLATE_GENERATION]: String(changed ? before + 1 : before) } })
}
