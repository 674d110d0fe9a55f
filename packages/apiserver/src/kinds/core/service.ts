import { type KubeObject, isDns1123Label, isJsonObject } from '@weft/api'
import { ageColumn, column, formatLabels, nameColumn, textCell } from '../column.ts'
import { type BuiltinKind, builtin, part } from '../kind.ts'
import { isSet, listAt, numberAt, recordAt, textAt, textsAt } from '../read.ts'
import { type Strategy, keepsStatus, statusOnly } from '../strategy.ts'
import { service as message } from './messages.ts'

/** Storage only: Weft routes no traffic and allocates no addresses. */
const main: Strategy = keepsStatus({ nameRule: isDns1123Label, default: withDefaults, createOnUpdate: true })

export const service: BuiltinKind = builtin({
  group: '',
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  namespaced: true,
  message,
  columns: [
    nameColumn,
    column('Type', 'How it is exposed.', textCell('spec', 'type')),
    column('Cluster-IP', 'Address inside the cluster.', (object) => textsAt(object, 'spec', 'clusterIPs')[0] ?? '<none>'),
    column('External-IP', 'Address outside the cluster.', externalAddress),
    column('Port(s)', 'Ports that are exposed.', ports),
    ageColumn,
    column('Selector', 'Labels of the pods behind it.', (object) => formatLabels(recordAt(object, 'spec', 'selector')), { priority: 1 }),
  ],
  selectableFields: {
    'spec.clusterIP': (object) => textAt(object, 'spec', 'clusterIP'),
    'spec.type': (object) => textAt(object, 'spec', 'type'),
  },
  strategy: main,
  subresources: [part('status', message, statusOnly(main))],
})

function withDefaults(object: KubeObject): KubeObject {
  const spec = recordAt(object, 'spec')
  const type = textAt(spec, 'type') || 'ClusterIP'
  const ports = listAt(spec, 'ports').map((port) => (isJsonObject(port) ? withPortDefaults(port) : port))
  return {
    ...object,
    spec: {
      ...spec,
      ...(ports.length > 0 && { ports }),
      type,
      sessionAffinity: textAt(spec, 'sessionAffinity') || 'None',
      ...(type !== 'ExternalName' && { internalTrafficPolicy: spec['internalTrafficPolicy'] ?? 'Cluster' }),
      ...((type === 'NodePort' || type === 'LoadBalancer') && {
        externalTrafficPolicy: textAt(spec, 'externalTrafficPolicy') || 'Cluster',
      }),
      ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: spec['allocateLoadBalancerNodePorts'] ?? true }),
    },
  }
}

function withPortDefaults(port: object): object {
  const target = (port as { targetPort?: unknown }).targetPort
  const unset = !isSet(target) || target === 0 || target === ''
  return { ...port, protocol: textAt(port, 'protocol') || 'TCP', targetPort: unset ? numberAt(port, 'port') : target }
}

function externalAddress(object: KubeObject): string {
  const type = textAt(object, 'spec', 'type')
  if (type === 'ExternalName') return textAt(object, 'spec', 'externalName')
  const external = textsAt(object, 'spec', 'externalIPs')
  if (type !== 'LoadBalancer') return external.length > 0 ? external.join(',') : '<none>'
  const entries = listAt(object, 'status', 'loadBalancer', 'ingress').map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'))
  const all = [...[...new Set(entries.filter((entry) => entry !== ''))].sort(), ...external]
  return all.length > 0 ? all.join(',') : '<pending>'
}

function ports(object: KubeObject): string {
  const texts = listAt(object, 'spec', 'ports').map((port) => {
    const nodePort = numberAt(port, 'nodePort') ?? 0
    return `${numberAt(port, 'port') ?? 0}${nodePort > 0 ? `:${nodePort}` : ''}/${textAt(port, 'protocol')}`
  })
  return texts.length > 0 ? texts.join(',') : '<none>'
}
