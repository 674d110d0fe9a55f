import { deepEqual, type FieldError, field, isJsonObject, type KubeObject } from '@weft/api'
import { type Column, age, column } from '../column.ts'
import type { BuiltinKind } from '../kind.ts'
import { at, isSet, listAt, numberAt, recordAt, textAt } from '../read.ts'
import type { Strategy } from '../strategy.ts'
import { podSpecErrors } from './pod-validation.ts'
import { qualityOf } from './pod-quality.ts'
import { podReason, readyContainers } from './pod-state.ts'
import { stored } from './stored.ts'

export const pod = (): BuiltinKind =>
  stored({
    group: '',
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    inAll: true,
    hasStatus: true,
    counted: true,
    columns: [
      column('Ready', 'Containers that are ready, of all.', readyContainers),
      column('Status', 'Where it is in its life.', podReason),
      column('Restarts', 'How often its containers were restarted.', restarts),
    ],
    wide,
    strategy,
    selectableFields: {
      'spec.nodeName': (object) => textAt(object, 'spec', 'nodeName'),
      'spec.restartPolicy': (object) => textAt(object, 'spec', 'restartPolicy'),
      'spec.schedulerName': (object) => textAt(object, 'spec', 'schedulerName'),
      'spec.serviceAccountName': (object) => textAt(object, 'spec', 'serviceAccountName'),
      'spec.hostNetwork': (object) => String(at(object, 'spec', 'hostNetwork') === true),
      'status.phase': (object) => textAt(object, 'status', 'phase'),
      'status.podIP': (object) => textAt(listAt(object, 'status', 'podIPs')[0], 'ip'),
      'status.nominatedNodeName': (object) => textAt(object, 'status', 'nominatedNodeName'),
    },
  })

const strategy: Partial<Strategy> = {
  prepareForCreate: (object) => withSystemDefaults({ ...object, status: { phase: 'Pending', qosClass: qualityOf(object) } }),
  validate: (object) => podSpecErrors(object['spec'], 'spec'),
  validateUpdate: (next, old) => [...podSpecErrors(next['spec'], 'spec'), ...changeErrors(next, old)],
}

const TOLERATED_SECONDS = 300

/** What the admission of every Kubernetes gives a pod. Its token is not mounted: nothing here runs it. */
function withSystemDefaults(object: KubeObject): KubeObject {
  const spec = recordAt(object, 'spec')
  const account = textAt(spec, 'serviceAccountName') || textAt(spec, 'serviceAccount') || 'default'
  const tolerations = listAt(spec, 'tolerations')
  const added = ['not-ready', 'unreachable']
    .map((what) => `node.kubernetes.io/${what}`)
    .filter((key) => !tolerations.some((toleration) => isTolerated(toleration, key)))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: TOLERATED_SECONDS }))
  return {
    ...object,
    spec: {
      ...spec,
      serviceAccountName: account,
      serviceAccount: account,
      tolerations: [...tolerations, ...added],
      priority: spec['priority'] ?? 0,
      preemptionPolicy: spec['preemptionPolicy'] ?? 'PreemptLowerPriority',
    },
  }
}

const isTolerated = (toleration: unknown, key: string): boolean =>
  ['', key].includes(textAt(toleration, 'key')) && ['', 'NoExecute'].includes(textAt(toleration, 'effect'))

const OTHERS =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** A pod is what it was made as. */
function changeErrors(next: KubeObject, old: KubeObject): FieldError[] {
  const [before, after] = [listAt(old, 'spec', 'tolerations'), listAt(next, 'spec', 'tolerations')]
  const kept = before.every((toleration) => after.some((other) => deepEqual(toleration, other)))
  if (deepEqual(fixed(next), fixed(old)))
    return kept ? [] : [field.forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')]
  return [field.forbidden('spec', OTHERS)]
}

function fixed(object: KubeObject): object {
  const { activeDeadlineSeconds: _a, tolerations: _b, schedulingGates: _c, ...spec } = recordAt(object, 'spec')
  const imageless = (name: string): object =>
    isSet(spec[name]) ? { [name]: listAt(spec, name).map((item) => (isJsonObject(item) ? { ...item, image: '' } : item)) } : {}
  return { ...spec, ...imageless('containers'), ...imageless('initContainers') }
}

function restarts(object: KubeObject, now: number): string {
  const states = listAt(object, 'status', 'containerStatuses')
  const count = states.reduce<number>((sum, state) => sum + (numberAt(state, 'restartCount') ?? 0), 0)
  const last = states
    .map((state) => textAt(state, 'lastState', 'terminated', 'finishedAt'))
    .sort()
    .at(-1)
  return count > 0 && last ? `${count} (${age(last, now)} ago)` : String(count)
}

const orNone = (text: string): string => text || '<none>'

const wide: readonly Column[] = [
  column('IP', 'Address of the pod.', (object) => orNone(textAt(listAt(object, 'status', 'podIPs')[0], 'ip')), { priority: 1 }),
  column('Node', 'Node it runs on.', (object) => orNone(textAt(object, 'spec', 'nodeName')), { priority: 1 }),
  column('Nominated Node', 'Node that is being made free for it.', (object) => orNone(textAt(object, 'status', 'nominatedNodeName')), {
    priority: 1,
  }),
  column('Readiness Gates', 'Conditions that hold, of those that must.', gates, { priority: 1 }),
]

function gates(object: KubeObject): string {
  const wanted = listAt(object, 'spec', 'readinessGates').map((gate) => textAt(gate, 'conditionType'))
  const holding = wanted.filter((type) =>
    listAt(object, 'status', 'conditions').some(
      (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
    ),
  )
  return wanted.length === 0 ? '<none>' : `${holding.length}/${wanted.length}`
}
