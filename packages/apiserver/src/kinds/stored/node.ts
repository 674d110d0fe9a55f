import type { KubeObject } from '@weft/api'
import { type Column, column } from '../column.ts'
import type { BuiltinKind } from '../kind.ts'
import { at, listAt, recordAt, textAt } from '../read.ts'
import { textColumn } from './columns.ts'
import { stored } from './stored.ts'

export const node = (): BuiltinKind =>
  stored({
    group: '',
    kind: 'Node',
    plural: 'nodes',
    namespaced: false,
    shortNames: ['no'],
    hasStatus: true,
    columns: [column('Status', 'Whether it is ready.', readiness), column('Roles', 'What it is for.', roles)],
    wide: [
      textColumn('Version', 'Version of its kubelet.', ['status', 'nodeInfo', 'kubeletVersion']),
      wide('Internal-IP', 'Address inside the cluster.', (object) => addressOf(object, 'InternalIP')),
      wide('External-IP', 'Address outside the cluster.', (object) => addressOf(object, 'ExternalIP')),
      wide('OS-Image', 'Its operating system.', (object) => infoOf(object, 'osImage')),
      wide('Kernel-Version', 'Version of its kernel.', (object) => kernelOf(object)),
      wide('Container-Runtime', 'What runs its containers.', (object) => infoOf(object, 'containerRuntimeVersion')),
    ],
    // Whoever registers a node says what it is: its status stays.
    keepsFirstStatus: true,
    strategy: { prepareForCreate: withTaint },
    selectableFields: { 'spec.unschedulable': (object) => String(at(object, 'spec', 'unschedulable') === true) },
  })

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

/** A node is not ready before somebody has said so. */
function withTaint(object: KubeObject): KubeObject {
  const taints = listAt(object, 'spec', 'taints')
  if (taints.some((taint) => textAt(taint, 'key') === NOT_READY.key && textAt(taint, 'effect') === NOT_READY.effect)) return object
  return { ...object, spec: { ...recordAt(object, 'spec'), taints: [...taints, NOT_READY] } }
}

const wide = (name: string, description: string, cell: Column['cell']): Column => column(name, description, cell, { priority: 1 })

function readiness(object: KubeObject): string {
  const ready = listAt(object, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready')
  const status = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady'
  return at(object, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status
}

const ROLE = 'node-role.kubernetes.io/'

function roles({ metadata }: KubeObject): string {
  const labels = Object.entries(metadata.labels ?? {})
  const found = labels.flatMap(([key, value]) =>
    key.startsWith(ROLE) && key !== ROLE ? [key.slice(ROLE.length)] : key === 'kubernetes.io/role' && value !== '' ? [value] : [],
  )
  return [...new Set(found)].sort().join(',') || '<none>'
}

const addressOf = (object: KubeObject, type: string): string =>
  textAt(
    listAt(object, 'status', 'addresses').find((address) => textAt(address, 'type') === type),
    'address',
  ) || '<none>'

const infoOf = (object: KubeObject, name: string): string => textAt(object, 'status', 'nodeInfo', name) || '<unknown>'

function kernelOf(object: KubeObject): string {
  const architecture = textAt(object, 'status', 'nodeInfo', 'architecture')
  return `${infoOf(object, 'kernelVersion')}${architecture === '' ? '' : ` (${architecture})`}`
}
