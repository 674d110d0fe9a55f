import { call, type Scenario } from '../../scenario.ts'
import { MERGE, namespace } from '../parts.ts'
import { all, object } from './objects.ts'

export const leasesScenario: Scenario = {
  name: 'kinds: Leases',
  steps: (n) => {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${n.ns}/leases`
    const lease = (name: string, spec?: object): object =>
      object('coordination.k8s.io/v1', 'Lease', name, spec === undefined ? {} : { spec })
    return [
      namespace(n),
      ...all(path, [
        lease('a'),
        lease('b', {
          holderIdentity: 'me',
          leaseDurationSeconds: 15,
          acquireTime: '2020-01-01T00:00:00.000000Z',
          renewTime: '2020-01-01T00:00:00.123456Z',
          leaseTransitions: 0,
        }),
        lease('c', { leaseDurationSeconds: 0 }),
        lease('d', { leaseTransitions: -1 }),
        lease('e', { renewTime: 'nonsense' }),
        lease('f', { renewTime: '2020-01-01T00:00:00Z' }),
        lease('g', { strategy: 'OldestEmulationVersion' }),
        lease('h', { preferredHolder: 'x' }),
        lease('i', { holderIdentity: '' }),
        lease('j', { leaseDurationSeconds: 1.5 }),
        lease('k', { leaseDurationSeconds: 3000000000 }),
      ]),
      call('PATCH', `${path}/b`, { spec: { holderIdentity: null, leaseTransitions: 1 } }, { contentType: MERGE }),
      call('PUT', `${path}/b`, lease('b', {})),
      call('GET', path, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
      call('GET', path),
    ]
  },
}
