import { call, type Scenario } from '../../scenario.ts'
import { namespace } from '../parts.ts'
import { all, object } from './objects.ts'

export const signingRequestsScenario: Scenario = {
  name: 'kinds: quotas and signing requests',
  steps: (n) => {
    const quotas = `/api/v1/namespaces/${n.ns}/resourcequotas`
    const quota = (name: string, spec: object): object => object('v1', 'ResourceQuota', name, { spec })
    return [
      namespace(n),
      ...all(quotas, [
        quota('a', { hard: { 'requests.cpu': '1', memory: '1Gi', pods: '10', configmaps: 5 } }),
        quota('b', { hard: { pods: 'x' } }),
        quota('c', { hard: { pods: '-1', 'bad name': '1' } }),
        quota('e', { scopes: ['Nope'] }),
        quota('f', { scopes: ['BestEffort', 'NotBestEffort'], hard: { pods: '1' } }),
      ]),
      call('DELETE', `${quotas}/b`),
      call('GET', '/apis/apiregistration.k8s.io/v1/apiservices/v1.'),
      call(
        'POST',
        '/apis/certificates.k8s.io/v1/certificatesigningrequests',
        object('certificates.k8s.io/v1', 'CertificateSigningRequest', `a-${n.id}`, {
          spec: { request: 'eA==', signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
        }),
      ),
      call(
        'POST',
        '/apis/certificates.k8s.io/v1/certificatesigningrequests',
        object('certificates.k8s.io/v1', 'CertificateSigningRequest', `b-${n.id}`, { spec: {} }),
      ),
    ]
  },
}
