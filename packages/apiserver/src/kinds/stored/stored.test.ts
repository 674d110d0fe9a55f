import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { builtinKinds, type BuiltinKind, conform } from '../index.ts'
import { storedKinds, storedKindsOf } from './index.ts'

const kindOf = (kind: string): BuiltinKind => {
  const row = storedKinds().find((each) => each.kind === kind)
  if (row === undefined) throw new Error(`no kind ${kind}`)
  return row
}

/** What a create makes of an object that a client sent, and what is wrong with it. */
function create(kind: string, fields: object, metadata: object = { name: 'a', uid: 'u' }): { object: KubeObject; errors: string[] } {
  const row = kindOf(kind)
  const typed = { apiVersion: `${row.group}/${row.version}`, kind, metadata, ...fields }
  const given = conform(row.message, typed, { complete: true }).object as unknown as KubeObject
  const object = row.strategy.prepareForCreate(row.strategy.default(given), { now: 0 })
  return { object, errors: row.strategy.validate(object).map(({ path, message }) => `${path}: ${message}`) }
}

const labels = { app: 'x' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'b:1' }] } }
const workload = { spec: { selector: { matchLabels: labels }, template } }

describe('kinds on request', () => {
  it('are none of those that every server has', () => {
    const named = ({ group, kind }: BuiltinKind): string => `${group}/${kind}`
    const always = new Set(builtinKinds.map(named))
    expect(storedKinds().filter((row) => always.has(named(row)))).toEqual([])
  })

  it('are named by group and version, and what is not there is told with what is', () => {
    expect(storedKindsOf([])).toEqual([])
    expect(storedKindsOf(['batch/v1']).map(({ kind }) => kind)).toEqual(['CronJob', 'Job'])
    expect(storedKindsOf(['v1']).every(({ group }) => group === '')).toBe(true)
    expect(storedKindsOf(['all'])).toHaveLength(storedKinds().length)
    expect(() => storedKindsOf(['apps/v2'])).toThrow(/"apps\/v2" cannot be served.*apps\/v1.*batch\/v1/)
  })
})

describe('defaults', () => {
  it('of a Deployment and the pods in it', () => {
    const { object, errors } = create('Deployment', workload)
    expect(errors).toEqual([])
    expect(object).toMatchObject({
      spec: {
        replicas: 1,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        template: {
          spec: {
            restartPolicy: 'Always',
            dnsPolicy: 'ClusterFirst',
            terminationGracePeriodSeconds: 30,
            containers: [{ imagePullPolicy: 'IfNotPresent', terminationMessagePath: '/dev/termination-log' }],
          },
        },
      },
      status: {},
    })
    expect(create('Deployment', { spec: { ...workload.spec, strategy: { type: 'Recreate' } } }).object).toMatchObject({
      spec: { strategy: { type: 'Recreate' } },
    })
  })

  it.each([
    ['DaemonSet', { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } } } }],
    ['StatefulSet', { spec: { podManagementPolicy: 'OrderedReady', updateStrategy: { rollingUpdate: { partition: 0 } } } }],
    ['ReplicaSet', { spec: { replicas: 1 }, status: { replicas: 0 } }],
  ])('of a %s', (kind, expected) => {
    const { object, errors } = create(kind, workload)
    expect(errors).toEqual([])
    expect(object).toMatchObject(expected)
  })

  it('reach probes, volumes and ports, wherever they are', () => {
    const spec = {
      containers: [{ name: 'a', image: 'b', ports: [{ containerPort: 1 }], livenessProbe: { httpGet: { port: 1 } } }],
      volumes: [{ name: 'v', secret: { secretName: 's' } }, { name: 'e' }],
    }
    const { object } = create('CronJob', { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec } } } } })
    expect(object).toMatchObject({
      spec: {
        concurrencyPolicy: 'Allow',
        jobTemplate: {
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    imagePullPolicy: 'Always',
                    ports: [{ protocol: 'TCP' }],
                    livenessProbe: { httpGet: { path: '/', scheme: 'HTTP' }, timeoutSeconds: 1, failureThreshold: 3 },
                  },
                ],
                volumes: [{ secret: { defaultMode: 420 } }, { emptyDir: {} }],
              },
            },
          },
        },
      },
    })
  })

  it('of a Job, which selects its pods by its own uid', () => {
    const spec = { template: { spec: { ...template.spec, restartPolicy: 'Never' } } }
    const { object, errors } = create('Job', { spec })
    expect(errors).toEqual([])
    expect(object).toMatchObject({
      spec: {
        completions: 1,
        parallelism: 1,
        backoffLimit: 6,
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } },
        template: { metadata: { labels: { 'job-name': 'a', 'batch.kubernetes.io/controller-uid': 'u' } } },
      },
    })
  })

  it('of a Pod: what is limited is asked for, and how well it is served follows', () => {
    const resources = { limits: { cpu: '1', memory: '1Gi' } }
    const { object } = create('Pod', { spec: { containers: [{ name: 'a', image: 'b', resources }] } })
    expect(object).toMatchObject({
      spec: { containers: [{ resources: { requests: resources.limits } }], serviceAccountName: 'default', priority: 0 },
      status: { phase: 'Pending', qosClass: 'Guaranteed' },
    })
  })

  it.each([
    ['StorageClass', { provisioner: 'p' }, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }],
    ['PersistentVolumeClaim', { spec: {} }, { spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } }],
    ['NetworkPolicy', { spec: { egress: [{}] } }, { spec: { policyTypes: ['Ingress', 'Egress'] } }],
    ['PriorityClass', { value: 1 }, { preemptionPolicy: 'PreemptLowerPriority' }],
    ['EndpointSlice', { addressType: 'IPv4', ports: [{ port: 1 }] }, { ports: [{ name: '', protocol: 'TCP' }] }],
    ['HorizontalPodAutoscaler', { spec: { maxReplicas: 3 } }, { spec: { minReplicas: 1, metrics: [{ resource: { name: 'cpu' } }] } }],
    ['LimitRange', { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }, { spec: { limits: [{ default: { cpu: '2' } }] } }],
  ])('of a %s', (kind, fields, expected) => {
    expect(create(kind, fields).object).toMatchObject(expected)
  })
})

describe('what is refused', () => {
  it.each([
    ['Deployment', { spec: { template } }, ['spec.selector: Required value', /^spec\.template\.metadata\.labels: .*does not match/]],
    [
      'Deployment',
      { spec: { ...workload.spec, selector: { matchLabels: { app: 'y' } } } },
      ['spec.template.metadata.labels: Invalid value: {"app":"x"}: `selector` does not match template `labels`'],
    ],
    ['ReplicaSet', { spec: { ...workload.spec, replicas: -1 } }, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
    [
      'Job',
      { spec: { template: { spec: {} } } },
      [
        'spec.template.spec.containers: Required value',
        'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
      ],
    ],
    [
      'Pod',
      { spec: { containers: [{ name: 'A', image: '' }] } },
      ['spec.containers[0].image: Required value', /spec\.containers\[0\]\.name: Invalid value: "A"/],
    ],
    ['StorageClass', {}, ['provisioner: Required value']],
  ])('in a %s', (kind, fields, expected) => {
    expect(create(kind, fields).errors).toEqual(expected.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))))
  })

  it('a selector of a Deployment never changes, nor what a Pod is made of', () => {
    const errors = (kind: string, before: object, after: object): string[] =>
      kindOf(kind)
        .strategy.validateUpdate(create(kind, after).object, create(kind, before).object)
        .map(({ path }) => path)
    const other = {
      ...workload.spec,
      selector: { matchLabels: { other: 'y' } },
      template: { ...template, metadata: { labels: { other: 'y' } } },
    }
    expect(errors('Deployment', workload, { spec: other })).toEqual(['spec.selector'])
    const pod = (image: string, name: string): object => ({ spec: { containers: [{ name, image }] } })
    expect(errors('Pod', pod('a', 'n'), pod('b', 'n'))).toEqual([])
    expect(errors('Pod', pod('a', 'n'), pod('a', 'm'))).toEqual(['spec'])
  })
})
