import type { KubeObject } from '@weft/api'
import { whole, ZERO } from '../kinds/quantity.ts'
import { at, listAt, textAt } from '../kinds/read.ts'
import { pods } from './pods.ts'
import type { GroupResource, Measure } from './measure.ts'
import type { Usage } from './usage.ts'
import { volumeClaims } from './volume-claims.ts'

/** Resources that had a name of their own before all could be counted. */
const ALIASES = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets'])
/** Of these it is known that none is used, where they are not served. */
const ON_REQUEST = new Set(['pods', 'persistentvolumeclaims', 'replicationcontrollers'])

const countName = ({ group, plural }: GroupResource): string => `count/${plural}${group === '' ? '' : `.${group}`}`

/** The resource that a limit is about. Undefined: nobody knows. */
export function resourceOf(limit: string): GroupResource | undefined {
  if (pods.limits.has(limit)) return { group: '', plural: 'pods' }
  if (volumeClaims.limits.has(limit)) return { group: '', plural: 'persistentvolumeclaims' }
  const counted = /^count\/([^.]+)(?:\.(.+))?$/.exec(limit)
  if (counted !== null) return { group: counted[2] ?? '', plural: counted[1] as string }
  if (ALIASES.has(limit)) return { group: '', plural: limit }
  return services.limits.has(limit) ? { group: '', plural: 'services' } : undefined
}

/** Of a limit on what need not be served. */
export function isOnRequest(limit: string): boolean {
  const resource = resourceOf(limit)
  return resource?.group === '' && ON_REQUEST.has(resource.plural)
}

/** Undefined: not counted. Kubernetes counts no events, in neither of their groups. */
export function measureOf({ group, plural }: GroupResource): Measure | undefined {
  if (plural === 'events' && (group === '' || group === 'events.k8s.io')) return undefined
  const special = group === '' ? SPECIAL.get(plural) : undefined
  if (special !== undefined) return special
  const limits = new Set([countName({ group, plural }), ...(group === '' && ALIASES.has(plural) ? [plural] : [])])
  const one: Usage = new Map([...limits].map((name) => [name, whole(1)]))
  return { limits, usage: () => one, varies: false }
}

/** How many, how many that a load balancer is made for, and the ports that they take on every node. */
const services: Measure = {
  limits: new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers']),
  varies: true,
  usage: (service) =>
    new Map([
      ['count/services', whole(1)],
      ['services', whole(1)],
      ['services.loadbalancers', textAt(service, 'spec', 'type') === 'LoadBalancer' ? whole(1) : ZERO],
      ['services.nodeports', whole(nodePorts(service))],
    ]),
}

const SPECIAL: ReadonlyMap<string, Measure> = new Map([
  ['services', services],
  ['pods', pods],
  ['persistentvolumeclaims', volumeClaims],
])

/** Ports are given out after the object was admitted: what counts is what it asks for. */
function nodePorts(service: KubeObject): number {
  const type = textAt(service, 'spec', 'type')
  const ports = listAt(service, 'spec', 'ports')
  if (type === 'NodePort') return ports.length
  if (type !== 'LoadBalancer') return 0
  return at(service, 'spec', 'allocateLoadBalancerNodePorts') === false ? ports.filter((port) => at(port, 'nodePort')).length : ports.length
}
