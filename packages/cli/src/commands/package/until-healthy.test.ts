import type { KubeObject } from '@weft/api'
import { afterEach, expect, test, vi } from 'vitest'
import type { Cluster } from '../../cluster/index.ts'
import { untilHealthy } from './until-healthy.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const provider = (generation: number, observedGeneration: number, healthy = 'True', reason = 'Looked'): KubeObject => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Provider',
  metadata: { name: 'p', generation },
  status: {
    conditions: [
      { type: 'Installed', status: 'True', reason: 'ActivePackageRevision', observedGeneration },
      { type: 'Healthy', status: healthy, reason, observedGeneration, message: 'its process ended' },
    ],
  },
})

/** A server that shows one state after the other; the last one stays. */
const showing = (states: readonly KubeObject[]): { readonly cluster: Cluster; readonly looks: () => number } => {
  let looks = 0
  const client = {
    mapping: async () => ({ group: 'pkg.crossplane.io', version: 'v1', kind: 'Provider', plural: 'providers', namespaced: false }),
    list: async (_kind: unknown, { signal }: { signal: AbortSignal }) => {
      signal.throwIfAborted()
      await new Promise((resolve) => setImmediate(resolve))
      return { metadata: { resourceVersion: '1' }, items: [states[Math.min(looks++, states.length - 1)]] }
    },
    watch: async function* () {},
  }
  return { cluster: { client } as unknown as Cluster, looks: () => looks }
}

test('what was said of the package as it was before does not count', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const { cluster, looks } = showing([provider(2, 1), provider(2, 1), provider(2, 2, 'False'), provider(2, 2)])
  expect(await untilHealthy(cluster, provider(2, 1), { label: 'p', timeoutMs: 60_000 })).toBe(0)
  expect(looks()).toBe(4)
})

test('a package that stays unhealthy fails with the reason', async () => {
  const { cluster } = showing([provider(2, 2, 'False')])
  await expect(untilHealthy(cluster, provider(2, 1), { label: 'p', timeoutMs: 50 })).rejects.toThrow(
    /p is not healthy after .*: Healthy is False \(Looked\): its process ended/,
  )
})

test('K193: one that waits for its kinds to be activated says what to do', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  for (const reason of ['AwaitingActivation', 'HealthyPackageRevision']) {
    const { cluster } = showing([provider(2, 2, 'True', reason)])
    expect(await untilHealthy(cluster, provider(2, 1), { label: 'p', timeoutMs: 60_000 })).toBe(0)
  }
  expect(told.mock.calls).toEqual([['its process ended\n']])
})
