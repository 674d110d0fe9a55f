import { type FieldError, field, type KubeObject } from '@weft/api'
import { type Column, column } from '../column.ts'
import type { BuiltinKind } from '../kind.ts'
import { at, isSet, listAt, numberAt, textAt } from '../read.ts'
import { scalerFromStored, scalerToStored } from './autoscaler-versions.ts'
import { stored } from './stored.ts'

export const autoscalingKinds = (): readonly BuiltinKind[] => [
  stored({
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    inAll: true,
    hasStatus: true,
    columns: columns((object) => object),
    strategy: { validate: errors },
  }),
  stored({
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    inAll: true,
    hasStatus: true,
    columns: columns((object) => scalerToStored(object)),
    strategy: { validate: errors },
    storedAs: {
      group: 'autoscaling',
      version: 'v2',
      kind: 'HorizontalPodAutoscaler',
      toStored: scalerToStored,
      fromStored: scalerFromStored,
    },
  }),
]

const columns = (inV2: (object: KubeObject) => KubeObject): readonly Column[] => [
  column('Reference', 'What is scaled.', (object) => `${target(object, 'kind')}/${target(object, 'name')}`),
  column('Targets', 'What is measured, and the values to aim at.', (object) => targets(inV2(object))),
  column('MinPods', 'Lowest number of replicas.', (object) => numberText(object, 'spec', 'minReplicas')),
  column('MaxPods', 'Highest number of replicas.', (object) => numberAt(object, 'spec', 'maxReplicas') ?? 0),
  column('Replicas', 'Replicas that there are.', (object) => numberAt(object, 'status', 'currentReplicas') ?? 0),
]

const target = (object: KubeObject, name: string): string => textAt(object, 'spec', 'scaleTargetRef', name)

const numberText = (object: KubeObject, ...path: readonly string[]): string => {
  const number = numberAt(object, ...path)
  return number === undefined ? '<unset>' : String(number)
}

/** Only what is wanted: nothing here measures. */
function targets(object: KubeObject): string {
  const all = listAt(object, 'spec', 'metrics').map((metric) => {
    const resource = at(metric, 'resource')
    if (!isSet(resource)) return `<unknown>/${textAt(metric, 'type')}`
    const use = numberAt(resource, 'target', 'averageUtilization')
    const amount = use === undefined ? textAt(resource, 'target', 'averageValue') || '<auto>' : `${use}%`
    return `${textAt(resource, 'name')}: <unknown>/${amount}`
  })
  return all.length === 0 ? '<none>' : all.length > 2 ? `${all.slice(0, 2).join(', ')} + ${all.length - 2} more...` : all.join(', ')
}

function errors(object: KubeObject): FieldError[] {
  const least = numberAt(object, 'spec', 'minReplicas') ?? 1
  const most = numberAt(object, 'spec', 'maxReplicas') ?? 0
  return [
    ...(least < 1 ? [field.invalid('spec.minReplicas', least, 'must be greater than or equal to 1')] : []),
    ...(most === 0 ? [field.required('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(most < 0 ? [field.invalid('spec.maxReplicas', most, 'must be greater than or equal to 1')] : []),
    ...(most < least ? [field.invalid('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`')] : []),
    ...(target(object, 'kind') === '' ? [field.required('spec.scaleTargetRef.kind', '')] : []),
    ...(target(object, 'name') === '' ? [field.required('spec.scaleTargetRef.name', '')] : []),
    ...groupErrors(target(object, 'apiVersion'), target(object, 'kind')),
  ]
}

/** The core group has one kind that can be scaled. */
const groupErrors = (apiVersion: string, kind: string): FieldError[] =>
  apiVersion.includes('/') || (apiVersion === 'v1' && kind === 'ReplicationController')
    ? []
    : [field.invalid('spec.scaleTargetRef.apiVersion', apiVersion, 'apiVersion must specify API group')]
