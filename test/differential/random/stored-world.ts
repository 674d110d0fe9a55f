import type { Names, Scenario, Step } from '../scenario.ts'
import { namespace } from '../scenarios/parts.ts'
import type { Random } from './random.ts'
import { randomStep } from './requests.ts'
import type { Subject } from './subject.ts'

const NAMES = ['a', 'b', 'c']

/** A random story about kinds that are only stored here, and that no controller of the other server touches. */
export function storedWorld(seed: number, random: Random, requests: number): Scenario {
  return {
    name: `random stored kinds: seed ${seed}`,
    steps(names) {
      const subjects = subjectsOf(names)
      const steps: Step[] = [namespace(names)]
      for (let i = 0; i < requests; i++) steps.push(randomStep(random.fork(), random.pick(subjects), true))
      return steps
    },
  }
}

/** Lists that merge by a key, in a random order and with what is left out filled in. */
const container = (r: Random, name: string): object => ({
  name,
  image: r.pick(['example.org/a', 'example.org/a:1', 'example.org/b:latest']),
  ...(r.chance(0.4) && { env: r.some(NAMES, 0.5).map((key) => ({ name: key, value: r.pick(['x', 'y']) })) }),
  ...(r.chance(0.4) && {
    // Each container has its own, or the other server warns.
    ports: r
      .some([80, 81, 82], 0.5)
      .map((port) => port + 10 * NAMES.indexOf(name))
      .map((containerPort) => ({ containerPort, ...(r.chance(0.5) && { protocol: 'UDP' }), name: `p${containerPort}` })),
  }),
  ...(r.chance(0.3) && { resources: { limits: { cpu: r.pick(['1', '0.5', '100m']), memory: r.pick(['1Gi', '1024Mi', '1e3']) } } }),
  ...(r.chance(0.3) && { livenessProbe: { httpGet: { port: r.pick([80, 'p80']), ...(r.chance(0.5) && { path: '/x' }) } } }),
})

const podSpec = (r: Random): object => {
  const names = r.some(NAMES, 0.6)
  return {
    containers: (names.length > 0 ? names : ['a']).map((name) => container(r, name)),
    restartPolicy: r.pick(['Never', 'OnFailure']),
    ...(r.chance(0.4) && {
      volumes: r
        .some(NAMES, 0.5)
        .map((name) => ({ name, ...r.pick([{ emptyDir: {} }, { configMap: { name: 'c' } }, { secret: { secretName: 's' } }]) })),
    }),
    ...(r.chance(0.2) && { nodeSelector: { k: r.pick(['x', 'y']) } }),
    ...(r.chance(0.2) && { imagePullSecrets: r.some(NAMES, 0.5).map((name) => ({ name })) }),
    ...(r.chance(0.2) && { terminationGracePeriodSeconds: r.pick([0, 10]) }),
  }
}

function subjectsOf({ ns }: Names): readonly Subject[] {
  const subject = (apiVersion: string, kind: string, plural: string, content: Subject['content']): Subject => ({
    path: `/${apiVersion === 'v1' ? 'api' : 'apis'}/${apiVersion}/namespaces/${ns}/${plural}`,
    apiVersion,
    kind,
    content,
    names: NAMES,
    custom: false,
  })
  return [
    subject('batch/v1', 'CronJob', 'cronjobs', (r) => ({
      spec: {
        schedule: r.pick(['1 2 3 4 5', '2 2 2 2 2']),
        suspend: true,
        ...(r.chance(0.3) && { concurrencyPolicy: r.pick(['Allow', 'Forbid', 'Sometimes']) }),
        ...(r.chance(0.2) && { failedJobsHistoryLimit: r.pick([0, 5]) }),
        ...(r.chance(0.05) && { nope: 1 }),
        jobTemplate: { spec: { template: { spec: podSpec(r) } } },
      },
    })),
    subject('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', (r) => ({
      spec: {
        podSelector: { ...(r.chance(0.5) && { matchLabels: { a: r.pick(['x', 'y']) } }) },
        ...(r.chance(0.5) && { ingress: [{ ports: [{ port: r.pick([80, 'web']) }] }] }),
        ...(r.chance(0.3) && { egress: [{}] }),
      },
    })),
    subject('networking.k8s.io/v1', 'Ingress', 'ingresses', (r) => ({
      spec: {
        defaultBackend: { service: { name: r.pick(NAMES), port: { number: r.pick([80, 81]) } } },
        ...(r.chance(0.3) && { tls: [{ hosts: ['example.org'], secretName: r.pick(NAMES) }] }),
      },
    })),
  ]
}
