import { type FieldError, field, isJsonObject, type KubeObject, matchesLabels, requirementsOf } from '@weft/api'
import { column } from '../column.ts'
import type { BuiltinKind } from '../kind.ts'
import { at, isSet, listAt, numberAt, recordAt, textAt } from '../read.ts'
import { containerColumns, countColumn, labelsColumn } from './columns.ts'
import { node } from './node.ts'
import { pod } from './pod.ts'
import { templateErrors } from './pod-validation.ts'
import { replicasByLabels } from './scale-fields.ts'
import { stored } from './stored.ts'
import { volumeKinds } from './volumes.ts'
import { negative } from './workload-validation.ts'

export const storedCoreKinds = (): readonly BuiltinKind[] => [
  pod(),
  node(),
  ...volumeKinds(),
  stored({
    group: '',
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    columns: [column('Endpoints', 'Addresses and ports.', endpoints)],
    strategy: {
      createOnUpdate: true,
      warnings: () => ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
    },
  }),
  stored({ group: '', kind: 'LimitRange', plural: 'limitranges', shortNames: ['limits'], strategy: { createOnUpdate: true } }),
  stored({
    group: '',
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    inAll: true,
    hasStatus: true,
    counted: true,
    scale: replicasByLabels,
    columns: [
      countColumn('Desired', 'Replicas that are wanted.', 'spec', 'replicas'),
      countColumn('Current', 'Replicas that there are.', 'status', 'replicas'),
      countColumn('Ready', 'Replicas that are ready.', 'status', 'readyReplicas'),
    ],
    wide: [...containerColumns('spec', 'template'), labelsColumn('Selector', 'Labels of the pods behind it.', ['spec', 'selector'], 1)],
    strategy: { validate: controllerErrors },
    selectableFields: { 'status.replicas': (object) => String(numberAt(object, 'status', 'replicas') ?? 0) },
  }),
]

function controllerErrors(object: KubeObject): FieldError[] {
  const spec = recordAt(object, 'spec')
  const selector = recordAt(spec, 'selector') as Record<string, string>
  const labels = recordAt(spec, 'template', 'metadata', 'labels') as Record<string, string>
  return [
    ...negative(spec['minReadySeconds'], 'spec.minReadySeconds'),
    ...(Object.keys(selector).length === 0 ? [field.required('spec.selector', '')] : []),
    ...negative(spec['replicas'], 'spec.replicas'),
    ...(isSet(spec['template'])
      ? [
          ...(matchesLabels(requirementsOf({ matchLabels: selector }), labels)
            ? []
            : [field.invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')]),
          ...templateErrors(spec['template'], 'spec.template', 'ReplicationController'),
        ]
      : [field.required('spec.template', '')]),
  ]
}

const SHOWN = 3

function endpoints(object: KubeObject): string {
  const all = listAt(object, 'subsets').flatMap((subset) => {
    const addresses = listAt(subset, 'addresses').map((address) => textAt(address, 'ip'))
    const ports = listAt(subset, 'ports').filter(isJsonObject)
    return ports.length === 0 ? addresses : ports.flatMap((port) => addresses.map((ip) => hostPort(ip, numberAt(port, 'port') ?? 0)))
  })
  if (!isSet(at(object, 'subsets'))) return '<none>'
  return all.length > SHOWN ? `${all.slice(0, SHOWN).join(',')} + ${all.length - SHOWN} more...` : all.join(',')
}

const hostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)
