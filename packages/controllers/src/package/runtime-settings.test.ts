import { describe, expect, it } from 'vitest'
import { runtimeSettings } from './runtime-settings.ts'

const settings = (deployment: object, rest: object = {}) =>
  runtimeSettings({
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'DeploymentRuntimeConfig',
    metadata: { name: 'settings' },
    spec: { deploymentTemplate: { spec: { selector: {}, ...deployment } }, ...rest },
  })
const pod = (container: object, rest: object = {}): object => ({
  template: { spec: { containers: [{ name: 'package-runtime', ...container }], ...rest } },
})

describe('K185, K187 what a DeploymentRuntimeConfig means to a process', () => {
  it.each([
    ['nothing said', {}, { args: undefined, env: {}, runs: true, unused: [] }],
    ['arguments take the place of those of the image', pod({ args: ['--debug'] }), { args: ['--debug'], unused: [] }],
    ['no arguments at all', pod({ args: [] }), { args: [] }],
    ['environment', pod({ env: [{ name: 'A', value: '1' }, { name: 'B' }] }), { env: { A: '1', B: '' } }],
    ['run elsewhere', { replicas: 0, ...pod({}) }, { runs: false }],
    [
      'what only a pod has is named',
      {
        strategy: { type: 'Recreate' },
        ...pod({ resources: { limits: { cpu: 1 } }, image: 'x' }, { nodeSelector: { a: 'b' }, volumes: [] }),
      },
      { unused: ['deployment.strategy', 'pod.nodeSelector', 'package-runtime.resources', 'package-runtime.image'] },
    ],
    [
      'nothing is read from elsewhere for it',
      pod({ env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
      { env: {}, unused: ['package-runtime.env TOKEN'] },
    ],
    [
      'there is one process, which leads',
      pod({ args: ['--leader-election', '--poll=1m'], env: [{ name: 'LEADER_ELECTION', value: 'true' }] }),
      { args: ['--poll=1m'], env: {}, unused: ['package-runtime.args --leader-election', 'package-runtime.env LEADER_ELECTION'] },
    ],
  ])('%s', (_reason, given, wanted) => expect(settings(given)).toMatchObject(wanted))

  it('templates of what a cluster would make besides are named', () =>
    expect(settings({}, { serviceAccountTemplate: { metadata: { name: 'x' } } }).unused).toEqual(['spec.serviceAccountTemplate']))
})
