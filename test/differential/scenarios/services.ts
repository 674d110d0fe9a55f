import { call, type Scenario } from '../scenario.ts'
import { APPLY, MERGE, namespace } from './parts.ts'

const service = (name: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }], selector: { app: 'a' }, ...spec },
})

/** The last two parts of an address come from the scenario's own names: others take addresses of the same server. */
export const serviceScenarios: readonly Scenario[] = [
  {
    name: 'kinds: Services and their addresses',
    steps: (n) => {
      const path = `/api/v1/namespaces/${n.ns}/services`
      const mine = `10.0.0.${20 + ([...n.ns].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 200)}`
      const create = (name: string, spec: object = {}): ReturnType<typeof call> => call('POST', path, service(name, spec))
      const merge = (name: string, spec: object): ReturnType<typeof call> =>
        call('PATCH', `${path}/${name}`, { spec }, { contentType: MERGE })
      return [
        namespace(n),
        create('a'),
        create('named', { clusterIP: mine }),
        create('taken', { clusterIP: mine }),
        create('outside', { clusterIP: '192.168.3.4' }),
        create('network', { clusterIP: '10.0.0.0' }),
        create('nonsense', { clusterIP: 'nonsense' }),
        create('other', { clusterIP: mine, clusterIPs: ['10.0.0.5'] }),
        create('plural', { clusterIPs: ['10.0.0.5'] }),
        create('six', { clusterIP: '2001:db8::1' }),
        create('three', { clusterIP: 'None', clusterIPs: ['None', '10.0.0.5'] }),
        create('headless', { clusterIP: 'None' }),
        create('headless-free', { clusterIP: 'None', selector: undefined }),
        create('external', { type: 'ExternalName', externalName: 'example.org', ports: undefined, selector: undefined }),
        create('dual', { ipFamilyPolicy: 'RequireDualStack' }),
        create('prefers', { ipFamilyPolicy: 'PreferDualStack' }),
        create('families', { ipFamilies: ['IPv6'] }),
        create('two-families', { ipFamilies: ['IPv4', 'IPv6'] }),
        create('bad-family', { ipFamilies: ['IPv5', 'IPv4', 'IPv4'] }),
        create('bad-policy', { ipFamilyPolicy: 'Both' }),
        create('balanced', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }),
        call('POST', `${path}?dryRun=All`, service('dry')),
        call('POST', `${path}?dryRun=All`, service('dry', { clusterIP: mine })),
        call('GET', `${path}/a`),
        call('PUT', `${path}/a`, service('a', { selector: { app: 'b' } })),
        call('PUT', `${path}/a`, service('a', { clusterIP: '10.0.0.5' })),
        call('PUT', `${path}/headless`, service('headless')),
        merge('a', { clusterIP: null }),
        merge('a', { clusterIP: null, clusterIPs: null }),
        merge('a', { clusterIP: 'None' }),
        merge('a', { clusterIP: '10.0.0.6', clusterIPs: ['10.0.0.6'] }),
        merge('a', { clusterIPs: ['10.0.0.6'] }),
        merge('a', { sessionAffinity: 'ClientIP' }),
        merge('named', { type: 'ExternalName', externalName: 'example.org' }),
        create('after', { clusterIP: mine }),
        merge('named', { type: 'ClusterIP', externalName: null }),
        merge('external', { type: 'ClusterIP', externalName: null, ports: [{ port: 80 }] }),
        call('DELETE', `${path}/after`),
        call('PATCH', `${path}/applied?fieldManager=m`, service('applied', { clusterIP: mine }), { contentType: APPLY }),
        call('PATCH', `${path}/applied?fieldManager=m`, service('applied'), { contentType: APPLY }),
        call('PATCH', `${path}/unnamed?fieldManager=m`, service('unnamed'), { contentType: APPLY }),
        call('PATCH', `${path}/unnamed?fieldManager=m`, service('unnamed'), { contentType: APPLY }),
        call('PATCH', `${path}/a/status`, { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } }, { contentType: MERGE }),
        call('GET', `${path}?fieldSelector=spec.clusterIP=None`),
        call('GET', path, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
      ]
    },
  },
]
