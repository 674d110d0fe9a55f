import { call, type Scenario, type Step } from '../scenario.ts'
import { MERGE, namespace } from './parts.ts'

const service = (name: string, spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
})

/** Ports are named where their number is shown: each server picks its own. */
export const nodePortScenarios: readonly Scenario[] = [
  {
    name: 'kinds: Services and their ports on nodes',
    steps: (n) => {
      const path = `/api/v1/namespaces/${n.ns}/services`
      const mine = 30_100 + ([...n.ns].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 800) * 3
      const create = (name: string, spec: object): Step => call('POST', path, service(name, spec))
      const merge = (name: string, spec: object): Step => call('PATCH', `${path}/${name}`, { spec }, { contentType: MERGE })
      return [
        namespace(n),
        create('a', { type: 'NodePort', ports: [{ name: 'x', port: 80, nodePort: mine }] }),
        create('taken', { type: 'NodePort', ports: [{ port: 80, nodePort: mine }] }),
        create('outside', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
        create('plain', { ports: [{ port: 80, nodePort: mine + 1 }] }),
        create('twice', {
          type: 'NodePort',
          ports: [
            { name: 'a', port: 80, nodePort: mine + 1 },
            { name: 'b', port: 81, nodePort: mine + 1 },
          ],
        }),
        merge('a', { ports: [{ name: 'x', port: 81 }] }),
        merge('a', { ports: [{ name: 'x', port: 81, nodePort: mine + 1 }] }),
        create('b', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }),
        create('c', {
          type: 'LoadBalancer',
          externalTrafficPolicy: 'Local',
          healthCheckNodePort: mine + 2,
          ports: [{ port: 80, nodePort: mine }],
        }),
        merge('a', { type: 'ClusterIP' }),
        merge('c', { type: 'NodePort', externalTrafficPolicy: 'Cluster' }),
        merge('c', { type: 'ClusterIP' }),
        call('GET', path),
      ]
    },
  },
]
