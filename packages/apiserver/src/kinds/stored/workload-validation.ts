import { deepEqual, type FieldError, field, type KubeObject, type LabelSelector, matchesLabels, requirementsOf } from '@weft/api'
import { validateLabelSelector } from '../label-selector.ts'
import { at, isSet, listAt, numberAt, recordAt } from '../read.ts'
import type { Strategy } from '../strategy.ts'
import { templateErrors } from './pod-validation.ts'

/** As messages name it. */
type Workload = 'daemonset' | 'deployment' | 'replicaset' | 'statefulset'

/** Deployments and their like: a selector that selects the pods of the template, and that never changes. */
export const workloadStrategy = (workload: Workload): Partial<Strategy> => ({
  validate: (object) => specErrors(object, workload),
  validateUpdate: (next, old) => [...specErrors(next, workload), ...changeErrors(next, old, workload)],
})

/** What the messages call the kind of their pods' owner. */
const OWNERS = { daemonset: 'DaemonSet', deployment: 'ReplicaSet', replicaset: 'ReplicaSet', statefulset: 'StatefulSet' } as const
const COUNTS = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'] as const

function specErrors(object: KubeObject, what: Workload): FieldError[] {
  const spec = recordAt(object, 'spec')
  const deadline = numberAt(spec, 'progressDeadlineSeconds')
  return [
    ...COUNTS.flatMap((name) => negative(spec[name], `spec.${name}`)),
    ...selectorErrors(spec, what),
    ...templateErrors(spec['template'], 'spec.template', OWNERS[what]),
    ...(deadline !== undefined && deadline <= (numberAt(spec, 'minReadySeconds') ?? 0)
      ? [field.invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ]
}

export const negative = (value: unknown, path: string): FieldError[] =>
  typeof value === 'number' && value < 0 ? [field.invalid(path, value, 'must be greater than or equal to 0')] : []

function selectorErrors(spec: object, what: Workload): FieldError[] {
  const selector = at(spec, 'selector')
  const labels = recordAt(spec, 'template', 'metadata', 'labels') as Record<string, string>
  const mismatch = field.invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')
  if (!isSet(selector)) return [field.required('spec.selector', ''), mismatch]
  const empty = Object.keys(recordAt(selector, 'matchLabels')).length + listAt(selector, 'matchExpressions').length === 0
  const errors = validateLabelSelector(selector, 'spec.selector')
  // The words of ReplicaSets are those of Deployments.
  const named = what === 'replicaset' ? 'deployment' : what
  if (empty) errors.push(field.invalid('spec.selector', selector, `empty selector is invalid for ${named}`))
  if (errors.length > 0) return errors
  return matchesLabels(requirementsOf(selector as LabelSelector), labels) ? [] : [mismatch]
}

const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

function changeErrors(next: KubeObject, old: KubeObject, what: Workload): FieldError[] {
  const [after, before] = [recordAt(next, 'spec'), recordAt(old, 'spec')]
  if (what !== 'statefulset')
    return deepEqual(after['selector'], before['selector']) ? [] : [field.invalid('spec.selector', after['selector'], 'field is immutable')]
  const fixed = (spec: Readonly<Record<string, unknown>>): object =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !CHANGEABLE.includes(name)))
  if (deepEqual(fixed(after), fixed(before))) return []
  const names = `${CHANGEABLE.slice(0, -1)
    .map((name) => `'${name}'`)
    .join(', ')} and 'minReadySeconds'`
  return [field.forbidden('spec', `updates to statefulset spec for fields other than ${names} are forbidden`)]
}
