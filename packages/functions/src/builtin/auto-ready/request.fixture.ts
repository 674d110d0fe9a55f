import fc from 'fast-check'
import type { RunFunctionRequest } from '../../protocol/request.ts'
import { anyFields, json, word } from '../json.fixture.ts'

const time = word('2026-01-01T00:00:00Z', '2026-01-01T1:00:00,5+01:00', '2026-02-30T00:00:00Z', 'now')
const count = fc.oneof(fc.integer({ min: 0, max: 3 }), json)
const condition = anyFields({
  type: word('Ready', 'Available', 'Complete', 'Failed', 'ScalingActive', 'ReplicaFailure'),
  status: fc.oneof(word('True', 'False', 'Unknown'), json),
  lastTransitionTime: time,
})

/** Objects of Kubernetes' own kinds and of others, whole and broken. */
const observed = anyFields({
  apiVersion: fc.oneof(word('v1', 'apps/v1', 'batch/v1', 'autoscaling/v2', 'networking.k8s.io/v1', 'example.org/v1', '/v1'), json),
  kind: fc.oneof(
    word('ConfigMap', 'Service', 'Pod', 'PersistentVolumeClaim', 'Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob'),
    word('Ingress', 'HorizontalPodAutoscaler', 'Thing'),
    json,
  ),
  metadata: fc.oneof(anyFields({ name: word('a'), generation: count, labels: json, finalizers: json }), json),
  spec: fc.oneof(
    anyFields({ replicas: count, type: word('LoadBalancer'), suspend: fc.boolean(), restartPolicy: word('Always'), template: json }),
    json,
  ),
  status: fc.oneof(
    anyFields({
      conditions: fc.array(fc.oneof(condition, json), { maxLength: 3 }),
      phase: word('Bound', 'Running', 'Succeeded'),
      ...Object.fromEntries(
        ['replicas', 'updatedReplicas', 'availableReplicas', 'readyReplicas', 'currentReplicas', 'numberReady'].map((name) => [
          name,
          count,
        ]),
      ),
      lastScheduleTime: time,
      lastSuccessfulTime: time,
      loadBalancer: json,
    }),
    json,
  ),
})

/** What is asked of auto-ready: objects that exist, and an input that has something to say now and then. */
export const anyRequest: fc.Arbitrary<RunFunctionRequest> = fc.record(
  {
    observed: fc.record({ resources: fc.dictionary(word('one', 'two', '__proto__'), fc.record({ resource: observed })) }),
    desired: fc.record({
      composite: fc.record({ resource: observed }),
      resources: fc.dictionary(
        word('one', 'two', '__proto__'),
        fc.record({ resource: observed, ready: word('READY_TRUE', 'READY_FALSE') }, { requiredKeys: ['resource'] }),
      ),
    }),
    context: anyFields({ any: json }),
    input: anyFields({ ttl: fc.oneof(word('', '5m', '-1.5h', '1x', '10000000000h'), json), metadata: json, unknown: json }),
  },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<RunFunctionRequest>
