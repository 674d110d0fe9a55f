import { call, type Scenario } from '../../scenario.ts'
import { APPLY, MERGE, namespace, secrets, STRATEGIC } from '../parts.ts'
import { all, object } from './objects.ts'

const secret = (name: string, more: object = {}): object => object('v1', 'Secret', name, more)

export const secretsScenario: Scenario = {
  name: 'kinds: Secrets',
  steps: (n) => [
    namespace(n),
    ...all(secrets(n), [
      secret('a', { stringData: { k: 'v' } }),
      secret('b', { data: { k: 'dg==' }, stringData: { k: 'w', l: 'x' } }),
      secret('c', { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } }),
      secret('c2', { type: 'kubernetes.io/tls' }),
      secret('d', { type: 'kubernetes.io/basic-auth' }),
      secret('e', { type: 'kubernetes.io/ssh-auth' }),
      secret('f', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{' } }),
      secret('f2', { type: 'kubernetes.io/dockerconfigjson' }),
      secret('g', { type: 'kubernetes.io/dockercfg', stringData: { '.dockercfg': '{}' } }),
      secret('h', { type: 'kubernetes.io/service-account-token' }),
      secret('i', { type: 'bootstrap.kubernetes.io/token', stringData: { x: 'y' } }),
      secret('j', { type: 'example.com/own', stringData: { 'bad key': 'x' } }),
      secret('k', { immutable: true, stringData: { k: 'v' } }),
      secret('l', { data: { k: 'not base64' } }),
    ]),
    call('PATCH', `${secrets(n)}/a`, { type: 'other' }, { contentType: MERGE }),
    call('PATCH', `${secrets(n)}/a`, { stringData: { z: '1' } }, { contentType: STRATEGIC }),
    call('PATCH', `${secrets(n)}/k`, { stringData: { k: 'w' } }, { contentType: MERGE }),
    call('PATCH', `${secrets(n)}/k`, { immutable: false }, { contentType: MERGE }),
    call('PATCH', `${secrets(n)}/k`, { metadata: { labels: { a: 'b' } } }, { contentType: MERGE }),
    call('PATCH', `${secrets(n)}/m?fieldManager=m`, secret('m', { stringData: { k: 'v' } }), { contentType: APPLY }),
    call('PATCH', `${secrets(n)}/m?fieldManager=m2`, secret('m', { data: { k: 'dw==' } }), { contentType: APPLY }),
    call('GET', `${secrets(n)}?fieldSelector=type=Opaque`),
    call('GET', `${secrets(n)}?fieldSelector=type!=Opaque`),
    call('GET', secrets(n), undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
    call('PUT', `${secrets(n)}/a`, secret('a', {})),
  ],
}
