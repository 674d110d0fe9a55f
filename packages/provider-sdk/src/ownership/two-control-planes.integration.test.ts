import assert from 'node:assert/strict'
import { findCondition } from '@weft/api'
import { EXTERNAL_NAME } from '@weft/composition'
import { silentLog } from '@weft/runtime'
import { patienceMs, startTestServer, type TestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { annotated } from '../conformance/expectations.ts'
import { FakeCloud, fakeProvider, fakeResource } from '../conformance/fake-cloud.fixture.ts'
import { openWorld, type World } from '../conformance/world.ts'
import { type ManagedResource, statusOf } from '../resource/managed-resource.ts'

const NAMES = Array.from({ length: 12 }, (_, i) => `name-${i}`)
const TIMEOUT_MS = patienceMs(20_000)

const secretRef = (name: string) => ({ writeConnectionSecretToRef: { namespace: 'default', name: `${name}-connection` } })
const asking = (name: string, external: string): ManagedResource =>
  annotated(fakeResource('Thing', name, { size: 1 }, secretRef(name)), { [EXTERNAL_NAME]: external })

describe('two control planes on one API server', () => {
  const cloud = new FakeCloud()
  let server: TestServer
  let worlds: World[]
  beforeEach(async () => {
    server = await startTestServer()
    const open = (): Promise<World> =>
      openWorld({ client: server.client, provider: fakeProvider(cloud), dataDir: '/nonexistent', log: silentLog })
    // One after the other: both install the kinds.
    worlds = [await open(), await open()]
    const credentials = { source: 'Secret', secretRef: { namespace: 'default', name: 'token', key: 'token' } }
    await worlds[0]?.apply({
      apiVersion: 'fake.weft.dev/v1alpha1',
      kind: 'ProviderConfig',
      metadata: { name: 'default' },
      spec: { credentials },
    })
    await worlds[0]?.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name: 'token' },
      data: { token: Buffer.from(cloud.token).toString('base64') },
    })
  })
  afterEach(async () => {
    for (const world of worlds) await world.stop()
    await server.close()
  })

  it('give each external name to one of those who ask for it at once, through restarts; the others take nothing', async () => {
    const [first, second] = worlds as [World, World]
    // One that is named so itself, and two that ask for the name, all new.
    const rivals = NAMES.map((name) => [
      fakeResource('Thing', name, { size: 1 }, secretRef(name)),
      asking(`${name}-a`, name),
      asking(`${name}-b`, name),
    ])
    await Promise.all(rivals.flat().map((rival, i) => (i % 2 === 0 ? first : second).apply(rival)))
    await first.restart()
    await second.restart()

    const owners = async (): Promise<ManagedResource[]> => {
      const won: ManagedResource[] = []
      for (const group of rivals) {
        const current = await Promise.all(group.map(async (rival) => (await first.find(rival)) ?? rival))
        const reasons = current.map((rival) => findCondition(statusOf(rival).conditions, 'Synced')?.reason)
        assert.deepEqual(reasons.toSorted(), ['ExternalNameTaken', 'ExternalNameTaken', 'ReconcileSuccess'], group[0]?.metadata.name)
        won.push(...current.filter((_rival, i) => reasons[i] === 'ReconcileSuccess'))
      }
      return won
    }
    const won = await first.eventually(owners, TIMEOUT_MS)
    expect(cloud.created.toSorted(), 'each was created once').toEqual(NAMES.toSorted())
    const { items: secrets } = await server.client.list({ group: '', kind: 'Secret' }, { namespace: 'default' })
    const published = secrets.flatMap(({ metadata }) => metadata.ownerReferences ?? []).map(({ uid }) => uid)
    expect(published.toSorted(), 'none but the owner has the secret').toEqual(won.map(({ metadata }) => metadata.uid).toSorted())

    const losers = rivals.flat().filter(({ metadata }) => !won.some((owner) => owner.metadata.name === metadata.name))
    for (const loser of losers) await first.delete(loser)
    for (const loser of losers) await first.gone(loser, TIMEOUT_MS)
    expect([...cloud.things.keys()].toSorted(), 'what lost took nothing along').toEqual(NAMES.toSorted())
  })
})
