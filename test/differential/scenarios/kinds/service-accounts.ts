import { call, from, type Scenario, type Step } from '../../scenario.ts'
import { APPLY, namespace, STRATEGIC } from '../parts.ts'
import { object } from './objects.ts'

export const serviceAccountsScenario: Scenario = {
  name: 'kinds: ServiceAccounts and their tokens',
  steps: (n) => {
    const path = `/api/v1/namespaces/${n.ns}/serviceaccounts`
    const token = (spec: object, more: object = {}): Step =>
      call('POST', `${path}/robot/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec, ...more })
    return [
      namespace(n),
      call(
        'POST',
        path,
        object('v1', 'ServiceAccount', 'robot', {
          secrets: [{ name: 'x' }],
          imagePullSecrets: [{ name: 'y' }],
          automountServiceAccountToken: false,
        }),
      ),
      call('PATCH', `${path}/robot`, { secrets: [{ name: 'z' }], imagePullSecrets: [{ name: 'w' }] }, { contentType: STRATEGIC }),
      call('PATCH', `${path}/robot?fieldManager=m`, object('v1', 'ServiceAccount', 'robot', { secrets: [{ name: 'q' }] }), {
        contentType: APPLY,
      }),
      token({}),
      token({ expirationSeconds: 1 }),
      token({ expirationSeconds: 3600, audiences: ['a', 'b'] }),
      token({ expirationSeconds: 2 ** 33 }),
      token({ boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'missing' } }),
      token({ boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'missing' } }),
      token({ boundObjectRef: { kind: 'Secret', apiVersion: 'v1' } }),
      token({ nope: 1 }),
      token({ audiences: 'x' }),
      token({}, { metadata: { name: 'other' } }),
      token({}, { metadata: { namespace: 'other' } }),
      token({}, { kind: 'Nope' }),
      call('POST', `${path}/missing/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
      call('POST', `${path}/robot/token`, '{'),
      call('POST', `${path}/robot/token`),
      call('GET', `${path}/robot/token`),
      call('GET', `${path}/robot`, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
      call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: 'nonsense' },
      }),
      call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: {},
      }),
      from((s) => ({
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/tokenreviews',
        body: { spec: { token: s.body(4).status.token } },
      })),
      from((s) => ({
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/tokenreviews',
        body: { spec: { token: s.body(6).status.token, audiences: ['b', 'c'] } },
      })),
      from((s) => ({
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/tokenreviews',
        body: { spec: { token: s.body(6).status.token, audiences: ['c'] } },
      })),
      from((s) => ({
        method: 'GET',
        path: '/api/v1/namespaces/default',
        user: null,
        headers: { authorization: `Bearer ${String(s.body(4).status.token)}` },
      })),
      from((s) => ({
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        body: {},
        user: null,
        headers: { authorization: `Bearer ${String(s.body(4).status.token)}` },
      })),
      from((s) => ({
        method: 'GET',
        path: '/api/v1/namespaces/default',
        user: null,
        headers: { authorization: `Bearer ${String(s.body(6).status.token)}` },
      })),
      call('GET', '/api/v1/namespaces/default', undefined, { user: null, headers: { authorization: 'Bearer nonsense' } }),
      call('DELETE', `${path}/robot`),
    ]
  },
}
