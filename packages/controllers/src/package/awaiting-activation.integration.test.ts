import { conditionOf } from '@weft/composition'
import { eventually } from '@weft/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { managedResourceDefinitionKind } from '../definition/kinds.ts'
import { isTrue } from '../definition/world.fixture.ts'
import { AWAITING_ACTIVATION } from './awaiting-activation.ts'
import { PROVIDERS } from './kinds.ts'
import { AWAITING, type PackageRuntime } from './package-runtime.ts'
import { packagedKind, type PackageWorld, providerMeta, startPackageWorld } from './world.fixture.ts'

const GROUP = 'nop.example.org'
const NOPS = `nops.${GROUP}`
const SAFE = { capabilities: ['safe-start'] }

/** Runs one thing for each package, as programs are run. */
function programs(): PackageRuntime & { readonly running: ReadonlyMap<string, string> } {
  const running = new Map<string, string>()
  return {
    running,
    ensure({ packageName, revision: { metadata }, pending, awaitsActivation }) {
      if (awaitsActivation !== undefined) {
        running.delete(packageName)
        return Promise.resolve({ healthy: true, reason: AWAITING_ACTIVATION, message: awaitsActivation })
      }
      if (pending.length > 0 && !running.has(packageName)) return Promise.resolve({ healthy: false, reason: AWAITING })
      running.set(packageName, metadata.name ?? '')
      return Promise.resolve({ healthy: true, reason: 'Running' })
    },
    stop(packageName, revisionName = running.get(packageName)) {
      if (running.get(packageName) === revisionName) running.delete(packageName)
      return Promise.resolve()
    },
  }
}

describe('K193 the program of a provider that can wait for its kinds', () => {
  let world: PackageWorld
  afterEach(() => world.stop())
  const provider = () => world.client.get(PROVIDERS.kind, { name: 'nop' })
  const revision = async () => (await world.revisions(PROVIDERS, 'nop')).at(-1)
  const policy = (activate: readonly string[]) =>
    world.create({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'ManagedResourceActivationPolicy',
      metadata: { name: 'nops' },
      spec: { activate },
    })

  it('does not run before one of them is activated, which is healthy and says what to do; then it runs for good', async () => {
    const runtime = programs()
    world = await startPackageWorld({ runtime })
    await world.install(PROVIDERS, 'nop', await world.pack('p', [providerMeta('provider-nop', SAFE), packagedKind(GROUP, 'Nop')]))
    await world.healthy(PROVIDERS, 'nop')
    expect(conditionOf(await provider(), 'Healthy')).toMatchObject({ reason: 'AwaitingActivation', message: expect.stringContaining(NOPS) })
    expect(conditionOf((await revision()) as never, 'RuntimeActive')).toMatchObject({ status: 'False', reason: 'AwaitingActivation' })
    expect(conditionOf((await revision()) as never, 'RuntimeHealthy')?.status).toBe('True')
    expect(runtime.running.size).toBe(0)
    await policy([NOPS])
    await eventually(async () => {
      expect(conditionOf(await provider(), 'Healthy')).toMatchObject({ status: 'True', reason: 'HealthyPackageRevision' })
      expect(conditionOf((await revision()) as never, 'RuntimeActive')).toMatchObject({ status: 'True', reason: 'ActiveRuntime' })
    })
    expect(conditionOf(await provider(), 'Healthy')?.message).toBeUndefined()
    expect([...runtime.running.keys()]).toEqual(['nop'])
    // It is not taken back, whatever becomes of its definitions.
    await world.client.delete(managedResourceDefinitionKind, { name: NOPS })
    await eventually(async () =>
      expect((await world.client.find(managedResourceDefinitionKind, { name: NOPS }))?.metadata.deletionTimestamp).toBeUndefined(),
    )
    await world.healthy(PROVIDERS, 'nop')
    expect([...runtime.running.keys()]).toEqual(['nop'])
  })

  it('runs at once where a policy activates one, or nobody needs to', async () => {
    const runtime = programs()
    world = await startPackageWorld({ runtime, activations: [NOPS] })
    const reasons = async (name: string): Promise<unknown> => {
      await world.healthy(PROVIDERS, name)
      return conditionOf(await world.client.get(PROVIDERS.kind, { name }), 'Healthy')?.reason
    }
    await world.install(PROVIDERS, 'nop', await world.pack('p', [providerMeta('provider-nop', SAFE), packagedKind(GROUP, 'Nop')]))
    expect(await reasons('nop')).toBe('HealthyPackageRevision')
    await world.until(managedResourceDefinitionKind, NOPS, isTrue('Established'))
    await world.install(PROVIDERS, 'eager', await world.pack('e', [providerMeta('provider-eager', {}), packagedKind('e.org', 'Eager')]))
    expect(await reasons('eager')).toBe('HealthyPackageRevision')
    const config = packagedKind('f.org', 'ProviderConfig', { categories: ['provider'] })
    await world.install(PROVIDERS, 'family', await world.pack('f', [providerMeta('provider-family', SAFE), config]))
    expect(await reasons('family')).toBe('HealthyPackageRevision')
    expect([...runtime.running.keys()].toSorted()).toEqual(['eager', 'family', 'nop'])
  })

  it('runs at once where the server calls it about kinds that are served already', async () => {
    const runtime = programs()
    world = await startPackageWorld({ runtime })
    const rules = (plural: string) => [{ apiGroups: ['f.org'], apiVersions: ['*'], operations: ['CREATE'], resources: [plural] }]
    const hooks = (plural: string) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: `hooks-${plural}` },
      webhooks: [
        {
          name: 'hook.f.org',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Ignore',
          clientConfig: { url: 'https://127.0.0.1:9/' },
          rules: rules(plural),
        },
      ],
    })
    const config = packagedKind('f.org', 'ProviderConfig', { categories: ['provider'] })
    const pack = (plural: string) => world.pack(plural, [providerMeta('p', SAFE), packagedKind('f.org', 'Nop'), config, hooks(plural)])
    await world.install(PROVIDERS, 'nop', await pack('nops'))
    await world.healthy(PROVIDERS, 'nop')
    expect(conditionOf(await provider(), 'Healthy')?.reason).toBe('AwaitingActivation')
    await world.install(PROVIDERS, 'nop', await pack('providerconfigs'))
    await world.until(PROVIDERS.kind, 'nop', (object) => conditionOf(object, 'Healthy')?.reason === 'HealthyPackageRevision')
    expect([...runtime.running.keys()]).toEqual(['nop'])
  })
})
