import { call, type Scenario, type Step } from '../../scenario.ts'
import { APPLY, JSON_PATCH, MERGE, namespace } from '../parts.ts'
import { object } from './objects.ts'

export const clientSideApplyScenario: Scenario = {
  name: 'kinds: client-side and server-side apply of one ConfigMap',
  steps: (n) => {
    const path = `/api/v1/namespaces/${n.ns}/configmaps`
    const made = (data: object, meta: object = {}): object => object('v1', 'ConfigMap', 'a', { data }, meta)
    const applied = (manager: string, body: object, more = ''): Step =>
      call('PATCH', `${path}/a?fieldManager=${manager}${more}`, body, { contentType: APPLY })
    return [
      namespace(n),
      call(
        'POST',
        `${path}?fieldManager=kubectl-client-side-apply`,
        made(
          { a: '1', b: '2' },
          { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(made({ a: '1', b: '2' })) } },
        ),
      ),
      applied('kubectl', made({ a: '1', c: '3' })),
      applied('other', made({ a: 'x' })),
      applied('other', made({ a: '1', d: '4' })),
      applied('kubectl', made({ c: '3' })),
      applied('other', made({ a: 'x' }), '&force=true'),
      applied('other', made({}, { labels: { l: 'm' } })),
      applied('third', made({}, { labels: { l: 'n' } })),
      applied('third', made({}, { finalizers: ['a.com/x'], annotations: { q: 'r' } })),
      applied('other', made({}, { finalizers: ['a.com/y'] })),
      applied('third', made({})),
      applied('third', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }),
      call('PATCH', `${path}/a?fieldManager=patcher`, [{ op: 'remove', path: '/data' }], { contentType: JSON_PATCH }),
      call('PATCH', `${path}/a?fieldManager=patcher`, { metadata: { managedFields: [] } }, { contentType: MERGE }),
      applied('other', made({ z: '1' })),
      call('PATCH', `${path}/a?fieldManager=patcher`, { metadata: { managedFields: [{}] } }, { contentType: MERGE }),
      applied('other', made({ z: '2' })),
      call('GET', `${path}/a`),
      call('PATCH', `${path}/a?fieldManager=patcher`, { metadata: { finalizers: null } }, { contentType: MERGE }),
    ]
  },
}
