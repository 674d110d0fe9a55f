import { conditionOf } from '@weft/composition'
import { eventually } from '@weft/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { managedResourceDefinitionKind } from '../definition/kinds.ts'
import { lockKind, PROVIDERS } from './kinds.ts'
import { packagedKind, type PackageWorld, providerMeta, startPackageWorld } from './world.fixture.ts'

const GROUP = 'nop.example.org'
const NOPS = `nops.${GROUP}`

describe('what packages and revisions say of themselves', () => {
  let world: PackageWorld
  afterEach(() => world.stop())
  const begin = async (): Promise<PackageWorld> => (world = await startPackageWorld())
  const mrd = (name: string) => world.client.find(managedResourceDefinitionKind, { name })

  it('K168, K170: a revision has the labels of its package’s metadata, and what it installs those of the package, with annotations; none that Weft goes by', async () => {
    await begin()
    const meta = providerMeta('provider-nop')
    const metadata = {
      ...meta.metadata,
      labels: { 'pkg.crossplane.io/provider-family': 'nops', 'pkg.crossplane.io/package': 'another' },
      annotations: { 'meta.crossplane.io/maintainer': 'somebody', 'crossplane.io/paused': 'true', 'pkg.weft.dev/allow-uninstall': 'true' },
    }
    await world.install(PROVIDERS, 'nop', await world.pack('p', [{ ...meta, metadata }, packagedKind(GROUP, 'Nop')]), {
      commonLabels: { team: 'blue' },
      commonAnnotations: { 'example.org/cost': '42' },
    })
    await world.healthy(PROVIDERS, 'nop')
    const [revision] = await world.revisions(PROVIDERS, 'nop')
    expect(revision?.metadata).toMatchObject({
      labels: { 'pkg.crossplane.io/provider-family': 'nops', 'pkg.crossplane.io/package': 'nop' },
      annotations: { 'meta.crossplane.io/maintainer': 'somebody' },
    })
    expect(Object.keys(revision?.metadata.annotations ?? {})).toEqual(['meta.crossplane.io/maintainer'])
    expect(revision?.status?.capabilities).toEqual(['late-mr-activation'])
    expect((await mrd(NOPS))?.metadata).toMatchObject({ labels: { team: 'blue' }, annotations: { 'example.org/cost': '42' } })
    // Changed or taken back, it is so for what is installed.
    for (const cost of ['43', null]) {
      const body = { spec: { commonAnnotations: cost === null ? null : { 'example.org/cost': cost } } }
      await world.client.patch(PROVIDERS.kind, { name: 'nop' }, { type: 'merge', body })
      await eventually(async () => expect((await mrd(NOPS))?.metadata.annotations?.['example.org/cost']).toBe(cost ?? undefined))
    }
    expect((await world.client.get(lockKind, { name: 'lock' })).packages).toMatchObject([
      { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', type: 'Provider' },
    ])
  })

  it('K167: a package that is paused says so, and no longer when it goes on', async () => {
    await begin()
    await world.install(PROVIDERS, 'nop', await world.pack('p', [providerMeta('provider-nop'), packagedKind(GROUP, 'Nop')]))
    await world.healthy(PROVIDERS, 'nop')
    const [revision] = await world.revisions(PROVIDERS, 'nop')
    const pause = async (value: string | null) => {
      const body = { metadata: { annotations: { 'crossplane.io/paused': value } } }
      await world.client.patch(PROVIDERS.kind, { name: 'nop' }, { type: 'merge', body })
      await world.client.patch(PROVIDERS.revisionKind, { name: revision?.metadata.name ?? '' }, { type: 'merge', body })
    }
    const synced = async () => [
      conditionOf(await world.client.get(PROVIDERS.kind, { name: 'nop' }), 'Synced')?.reason,
      conditionOf(await world.client.get(PROVIDERS.revisionKind, { name: revision?.metadata.name ?? '' }), 'Synced')?.reason,
    ]
    await pause('true')
    await eventually(async () => expect(await synced()).toEqual(['ReconcilePaused', 'ReconcilePaused']))
    await pause(null)
    await eventually(async () => expect(await synced()).toEqual([undefined, undefined]))
    await world.healthy(PROVIDERS, 'nop')
  })
})
