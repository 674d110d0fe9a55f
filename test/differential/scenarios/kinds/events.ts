import { call, type Scenario } from '../../scenario.ts'
import { MERGE, namespace, STRATEGIC } from '../parts.ts'
import { object } from './objects.ts'

export const eventsScenario: Scenario = {
  name: 'kinds: Events in both groups',
  steps: (n) => {
    const core = `/api/v1/namespaces/${n.ns}/events`
    const group = `/apis/events.k8s.io/v1/namespaces/${n.ns}/events`
    const regarding = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', namespace: n.ns }
    return [
      namespace(n),
      call(
        'POST',
        core,
        object('v1', 'Event', 'a', {
          involvedObject: regarding,
          reason: 'R',
          message: 'M',
          type: 'Normal',
          count: 1,
          firstTimestamp: '2020-01-01T00:00:00Z',
          lastTimestamp: '2020-01-01T00:00:00Z',
          source: { component: 'c' },
        }),
      ),
      call('GET', `${group}/a`),
      call(
        'POST',
        group,
        object('events.k8s.io/v1', 'Event', 'b', {
          regarding,
          eventTime: '2020-01-01T00:00:00.000000Z',
          reportingController: 'c.io/x',
          reportingInstance: 'i',
          action: 'A',
          reason: 'R',
          note: 'N',
          type: 'Normal',
        }),
      ),
      call('GET', `${core}/b`),
      call('POST', group, object('events.k8s.io/v1', 'Event', 'c', { regarding })),
      call(
        'POST',
        group,
        object('events.k8s.io/v1', 'Event', 'c', {
          regarding,
          eventTime: '2020-01-01T00:00:00.000000Z',
          reportingController: 'c.io/x',
          reportingInstance: 'i',
          action: 'A',
          reason: 'R',
          note: 'N'.repeat(1025),
          type: 'Odd',
        }),
      ),
      call('POST', core, object('v1', 'Event', 'd', {})),
      call('POST', core, object('v1', 'Event', 'd', { involvedObject: { ...regarding, namespace: 'other' } })),
      call('POST', core, object('v1', 'Event', 'd', { involvedObject: { kind: 'ConfigMap' } })),
      call('PATCH', `${core}/a`, { count: 2, lastTimestamp: '2020-01-01T00:00:01Z' }, { contentType: MERGE }),
      call('PATCH', `${core}/a`, { reason: 'other' }, { contentType: STRATEGIC }),
      call('PATCH', `${group}/b`, { series: { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' } }, { contentType: MERGE }),
      call('PATCH', `${group}/b`, { note: 'changed' }, { contentType: MERGE }),
      call('GET', `${core}?fieldSelector=reason=R,involvedObject.name=x`),
      call('GET', `${group}?fieldSelector=reason=R,regarding.name=x`),
      call('GET', `${core}?fieldSelector=nope=x`),
      call('GET', `${core}?fieldSelector=metadata.name=b`, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
      { kind: 'watch', call: { method: 'GET', path: `${group}?watch=1&fieldSelector=metadata.name=b` }, count: 1, during: [] },
      call('DELETE', `${core}/a`),
      call('DELETE', group),
    ]
  },
}
