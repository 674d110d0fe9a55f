import { type FieldError, field, type KubeObject, isDns1123Label, isJsonObject } from '@weft/api'
import { ageColumn, column, formatLabels, nameColumn, textCell } from '../column.ts'
import { type BuiltinKind, builtin, part } from '../kind.ts'
import { isSet, listAt, numberAt, recordAt, textAt, textsAt } from '../read.ts'
import { type Strategy, keepsStatus, statusOnly } from '../strategy.ts'
import { service as message } from './messages.ts'
import { changedAddressErrors, withoutAddresses } from './service-addresses.ts'
import { nodePortErrors, withoutNodePorts } from './service-ports.ts'

/** Has an address, and is stored: Weft routes no traffic. */
const main: Strategy = keepsStatus({
  nameRule: isDns1123Label,
  default: withDefaults,
  createOnUpdate: true,
  prepareForCreate: (object) => ({ ...object, status: { loadBalancer: {} } }),
  prepareForUpdate: (next, old) => withoutNodePorts(withoutAddresses(next, old), old),
  validate: nodePortErrors,
  validateUpdate: (next, old) => [...nodePortErrors(next), ...changedAddressErrors(next, old)],
})

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
  subresources: [part('status', message, statusOnly(main, { validateUpdate: entryErrors }))],
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
      ...(textAt(spec, 'sessionAffinity') === 'ClientIP' && {
        sessionAffinityConfig: withTimeout(recordAt(spec, 'sessionAffinityConfig')),
      }),
      ...(type !== 'ExternalName' && { internalTrafficPolicy: spec['internalTrafficPolicy'] ?? 'Cluster' }),
      ...((type === 'NodePort' || type === 'LoadBalancer') && {
        externalTrafficPolicy: textAt(spec, 'externalTrafficPolicy') || 'Cluster',
      }),
      ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: spec['allocateLoadBalancerNodePorts'] ?? true }),
    },
  }
}

const withTimeout = (config: object): object => {
  const clientIP = recordAt(config, 'clientIP')
  return { ...config, clientIP: { ...clientIP, timeoutSeconds: clientIP['timeoutSeconds'] ?? 10_800 } }
}

function withPortDefaults(port: object): object {
  const target = (port as { targetPort?: unknown }).targetPort
  const unset = !isSet(target) || target === 0 || target === ''
  return { ...port, protocol: textAt(port, 'protocol') || 'TCP', targetPort: unset ? numberAt(port, 'port') : target }
}

function entryErrors(next: KubeObject): readonly FieldError[] {
  const misplaced = textAt(next, 'spec', 'type') !== 'LoadBalancer' && listAt(next, 'status', 'loadBalancer', 'ingress').length > 0
  return misplaced ? [field.forbidden('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")] : []
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
