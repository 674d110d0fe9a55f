import type { KubeObject } from '@weft/api'
import { whole, ZERO } from '../kinds/quantity.ts'
import { at, listAt, textAt } from '../kinds/read.ts'
import type { Usage } from './usage.ts'

export interface GroupResource {
  readonly group: string
  readonly plural: string
}

/** How the objects of one resource count towards quotas. Pure. */
export interface Measure {
  /** Names of the limits that are about this resource. */
  readonly limits: ReadonlySet<string>
  usage(object: KubeObject): Usage
  /** An update can change what is used. Otherwise every object counts one, whatever is in it. */
  readonly varies: boolean
}

/** Resources that had a name of their own before all could be counted. */
const ALIASES = new Set(['configmaps', 'resourcequotas', 'secrets'])

/** What runs on nodes and the disks for it: no such objects are served, so none of it is ever used. */
const OF_PODS =
  /^((count\/)?(pods|replicationcontrollers)|((requests|limits)\.)?(cpu|memory|ephemeral-storage)|(requests\.)?hugepages-.*|requests\.[^/]+\/.*)$/
const OF_VOLUMES = /^(count\/persistentvolumeclaims|(.+\.storageclass\.storage\.k8s\.io\/)?(persistentvolumeclaims|requests\.storage))$/

const countName = ({ group, plural }: GroupResource): string => `count/${plural}${group === '' ? '' : `.${group}`}`

/** The resource that a limit is about. `none`: it is known, and there are never objects of it. Undefined: nobody knows. */
export function resourceOf(limit: string): GroupResource | 'none' | undefined {
  if (OF_PODS.test(limit) || OF_VOLUMES.test(limit)) return 'none'
  const counted = /^count\/([^.]+)(?:\.(.+))?$/.exec(limit)
  if (counted !== null) return { group: counted[2] ?? '', plural: counted[1] as string }
  if (ALIASES.has(limit)) return { group: '', plural: limit }
  return services.limits.has(limit) ? { group: '', plural: 'services' } : undefined
}

/** Undefined: not counted. Kubernetes counts no events, in neither of their groups. */
export function measureOf({ group, plural }: GroupResource): Measure | undefined {
  if (plural === 'events' && (group === '' || group === 'events.k8s.io')) return undefined
  if (plural === 'services' && group === '') return services
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

/** Ports are given out after the object was admitted: what counts is what it asks for. */
function nodePorts(service: KubeObject): number {
  const type = textAt(service, 'spec', 'type')
  const ports = listAt(service, 'spec', 'ports')
  if (type === 'NodePort') return ports.length
  if (type !== 'LoadBalancer') return 0
  return at(service, 'spec', 'allocateLoadBalancerNodePorts') === false ? ports.filter((port) => at(port, 'nodePort')).length : ports.length
}
