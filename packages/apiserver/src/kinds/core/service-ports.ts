import { type FieldError, field, indexPath, isJsonObject, type KubeObject } from '@weft/api'
import { at, listAt, numberAt, recordAt, textAt } from '../read.ts'

/**
 * Ports that Services take on every node. Clients name some, or send back none of what the server gave; here is worked
 * out what they meant. Which ports are free is not known here (see `registry/service-ports.ts`).
 */
export const takesNodePorts = (service: KubeObject | undefined): boolean =>
  ['NodePort', 'LoadBalancer'].includes(textAt(service, 'spec', 'type'))

/** Whether ports that name none get one. */
export const takesPortsByItself = (service: KubeObject): boolean =>
  takesNodePorts(service) && at(service, 'spec', 'allocateLoadBalancerNodePorts') !== false

/** A load balancer that keeps the client's address asks each node whether it has an endpoint, at a port of its own. */
const needsHealthPort = (service: KubeObject | undefined): boolean =>
  textAt(service, 'spec', 'type') === 'LoadBalancer' && textAt(service, 'spec', 'externalTrafficPolicy') === 'Local'

/** Undefined: it needs none. Zero: it wants one. */
export const healthPortOf = (service: KubeObject): number | undefined =>
  needsHealthPort(service) ? (numberAt(service, 'spec', 'healthCheckNodePort') ?? 0) : undefined

const numbersOf = (service: KubeObject | undefined): readonly number[] =>
  listAt(service, 'spec', 'ports').map((port) => numberAt(port, 'nodePort') ?? 0)

/** All that a Service has, the one for health included. */
export const nodePortsOf = (service: KubeObject): readonly number[] =>
  [...numbersOf(service), numberAt(service, 'spec', 'healthCheckNodePort') ?? 0].filter((port) => port !== 0)

/** What a client left out of an update stays as it is, port by name. */
export function withKeptPorts(next: KubeObject, live: KubeObject | undefined): KubeObject {
  if (live === undefined || !takesNodePorts(live) || !takesNodePorts(next)) return next
  const before = new Map(listAt(live, 'spec', 'ports').map((port) => [textAt(port, 'name'), numberAt(port, 'nodePort') ?? 0]))
  const named = new Set(numbersOf(next))
  const ports = listAt(next, 'spec', 'ports').map((port) => {
    const kept = before.get(textAt(port, 'name')) ?? 0
    return isJsonObject(port) && (numberAt(port, 'nodePort') ?? 0) === 0 && kept !== 0 && !named.has(kept)
      ? { ...port, nodePort: kept }
      : port
  })
  const health = numberAt(live, 'spec', 'healthCheckNodePort')
  const spec = recordAt(next, 'spec')
  const keepsHealth = needsHealthPort(live) && needsHealthPort(next) && health !== undefined
  return {
    ...next,
    spec: {
      ...spec,
      ...(ports.length > 0 && { ports }),
      ...(keepsHealth && { healthCheckNodePort: spec['healthCheckNodePort'] ?? health }),
    },
  }
}

export function withNodePorts(service: KubeObject, given: readonly number[], health: number | undefined): KubeObject {
  const spec = recordAt(service, 'spec')
  const ports = listAt(spec, 'ports').map((port, i) => (isJsonObject(port) && given[i] ? { ...port, nodePort: given[i] } : port))
  return { ...service, spec: { ...spec, ...(ports.length > 0 && { ports }), ...(health && { healthCheckNodePort: health }) } }
}

/** A Service that no longer takes ports loses what only those need, unless its author changed that, too. */
export function withoutNodePorts(next: KubeObject, old: KubeObject): KubeObject {
  const spec: Record<string, unknown> = { ...recordAt(next, 'spec') }
  const before = recordAt(old, 'spec')
  const had = new Set(numbersOf(old))
  const unchanged = (name: string): boolean => spec[name] === before[name]
  if (takesNodePorts(old) && !takesNodePorts(next)) {
    if (numbersOf(next).every((port) => port === 0 || had.has(port)))
      spec['ports'] = listAt(next, 'spec', 'ports').map((port) => {
        if (!isJsonObject(port)) return port
        const { nodePort: _gone, ...rest } = port
        return rest
      })
    if (listAt(spec, 'ports').length === 0) delete spec['ports']
    if (unchanged('externalTrafficPolicy')) delete spec['externalTrafficPolicy']
  }
  if (needsHealthPort(old) && !needsHealthPort({ ...next, spec }) && unchanged('healthCheckNodePort')) delete spec['healthCheckNodePort']
  const isBalanced = textAt(spec, 'type') === 'LoadBalancer'
  if (textAt(old, 'spec', 'type') === 'LoadBalancer' && !isBalanced) {
    if (unchanged('allocateLoadBalancerNodePorts')) delete spec['allocateLoadBalancerNodePorts']
    if (unchanged('loadBalancerClass')) delete spec['loadBalancerClass']
    return { ...next, spec, status: { ...recordAt(next, 'status'), loadBalancer: {} } }
  }
  return takesNodePorts(old) ? { ...next, spec } : next
}

export function nodePortErrors(service: KubeObject): FieldError[] {
  const used = new Set<string>()
  const isPlain = textAt(service, 'spec', 'type') === 'ClusterIP'
  return listAt(service, 'spec', 'ports').flatMap((port, i) => {
    const number = numberAt(port, 'nodePort') ?? 0
    const path = `${indexPath('spec.ports', i)}.nodePort`
    const key = `${textAt(port, 'protocol')}/${number}`
    if (number === 0) return []
    const twice = used.has(key)
    used.add(key)
    return [
      ...(isPlain ? [field.forbidden(path, "may not be used when `type` is 'ClusterIP'")] : []),
      ...(twice ? [field.duplicate(path, number)] : []),
    ]
  })
}
