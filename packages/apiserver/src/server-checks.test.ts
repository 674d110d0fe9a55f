import { describe, expect, it } from 'vitest'
import { HealthChecks } from './endpoints/discovery/index.ts'
import { serverChecks } from './server-checks.ts'
import { openMemoryStorage } from './storage/index.ts'

/** What Kubernetes' own specs look for in the answers. */
const EXPECTED = [
  'ping',
  'log',
  'etcd',
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/storage-readiness',
  'autoregister-completion',
]

describe('the checks of the server', () => {
  const world = () => {
    const state = { isStarted: true, isStopping: false, storage: openMemoryStorage() }
    const checks = new HealthChecks(
      serverChecks({ storage: state.storage, isStarted: () => state.isStarted, isStopping: () => state.isStopping }),
    )
    const failing = (endpoint: 'healthz' | 'livez' | 'readyz'): string[] =>
      checks
        .of(endpoint)
        .filter((check) => checks.run(endpoint, check) !== undefined)
        .map(({ name }) => name)
    return { state, checks, failing }
  }

  it.each(['healthz', 'livez', 'readyz'] as const)('%s has the names that kube-apiserver has, and all are well', (endpoint) => {
    const { checks, failing } = world()
    expect(checks.of(endpoint).map(({ name }) => name)).toEqual(expect.arrayContaining(EXPECTED))
    expect(failing(endpoint)).toEqual([])
  })

  it('a store that does not answer is neither alive nor ready', async () => {
    const { state, failing } = world()
    await state.storage.close()
    expect(failing('livez')).toEqual(['etcd'])
    expect(failing('readyz')).toEqual(['etcd', 'etcd-readiness'])
  })

  it('while it starts no step is done; while it stops it lives and is not ready', () => {
    const { state, failing } = world()
    state.isStarted = false
    expect(failing('livez')).toEqual(expect.arrayContaining(['poststarthook/bootstrap-controller', 'autoregister-completion']))
    state.isStarted = true
    state.isStopping = true
    expect(failing('livez')).toEqual([])
    expect(failing('readyz')).toEqual(['shutdown'])
  })
})
