import { type Condition, findCondition } from '@weft/api'
import { conformanceCases, type ConformanceSubject, type ManagedResource, openWorld, type World } from '@weft/provider-sdk'
import { silentLog } from '@weft/runtime'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nopProvider } from './index.ts'

const nop = (name: string, forProvider: object = {}, spec: object = {}): ManagedResource => ({
  apiVersion: 'nop.crossplane.io/v1alpha1',
  kind: 'NopResource',
  metadata: { name },
  spec: { forProvider, ...spec } as NonNullable<ManagedResource['spec']>,
})

const subject: ConformanceSubject = {
  resource: (name) =>
    nop(
      name,
      { connectionDetails: [{ name: 'password', value: 'x' }] },
      { writeConnectionSecretToRef: { namespace: 'conformance', name } },
    ),
  connectionKeys: ['password'],
  // It touches nothing, so there is nothing to count, to change by hand or to lose.
  external: {},
}

describe('provider-nop', () => {
  let server: TestServer
  let world: World
  beforeAll(async () => {
    server = await startTestServer()
    world = await openWorld({ client: server.client, provider: nopProvider, dataDir: '/nonexistent', log: silentLog })
  })
  afterAll(async () => {
    await world.stop()
    await server.close()
  })

  it('becomes Ready and Unbound at once without conditionAfter', async () => {
    await world.apply(nop('plain'))
    const ready = await world.ready(nop('plain'))
    expect(ready.status).toMatchObject({ bindingPhase: 'Unbound' })
    expect(findCondition(ready.status?.conditions, 'Synced')).toMatchObject({ status: 'True', reason: 'ReconcileSuccess' })
    expect(ready.metadata.annotations).toMatchObject({ 'crossplane.io/external-name': 'plain' })
    expect(ready.metadata.finalizers).toEqual(['finalizer.managedresource.crossplane.io'])
  })

  it('publishes connectionDetails and echoes fields', async () => {
    await world.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'infra' } })
    await world.apply(
      nop(
        'details',
        { connectionDetails: [{ name: 'password', value: 's3cret' }], fields: { size: 3 } },
        { writeConnectionSecretToRef: { namespace: 'infra', name: 'details' } },
      ),
    )
    const ready = await world.ready(nop('details'))
    expect(ready.status?.atProvider).toEqual({ fields: { size: 3 } })
    const secret = await world.client.get({ group: '', kind: 'Secret' }, { namespace: 'infra', name: 'details' })
    expect(secret).toMatchObject({
      type: 'connection.crossplane.io/v1alpha1',
      data: { password: 'czNjcmV0' },
      metadata: { ownerReferences: [{ kind: 'NopResource', name: 'details', controller: true }] },
    })
  })

  it('shows conditions when they are due', async () => {
    const resource = nop('later', {
      conditionAfter: [
        { time: '0s', conditionType: 'Ready', conditionStatus: 'False' },
        { time: '2s', conditionType: 'Ready', conditionStatus: 'True' },
        { time: '0', conditionType: 'Green', conditionStatus: 'True', conditionReason: 'Painted' },
      ],
    })
    await world.apply(resource)
    const first = await world.condition(resource, 'Green', 'True')
    const conditions = first.status?.conditions as readonly Condition[]
    expect(findCondition(conditions, 'Ready')).toMatchObject({ status: 'False', reason: 'Creating' })
    expect(findCondition(conditions, 'Green')).toMatchObject({ reason: 'Painted' })
    expect(first.status?.bindingPhase).toBe('Unbindable')
    await world.ready(resource)
  })

  it('goes when it is deleted', async () => {
    await world.apply(nop('short-lived'))
    await world.ready(nop('short-lived'))
    await world.delete(nop('short-lived'))
    await world.gone(nop('short-lived'))
  })

  describe('conformance', () => {
    it.each(conformanceCases(subject))('%s', (_name, run) => run(world, subject))
  })
})
