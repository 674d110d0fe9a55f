import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCondition, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { providerKind } from '@weft/controllers'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MemoryRegistry, startMemoryRegistry } from '../../packages/xpkg/src/registry/memory-registry.fixture.ts'
import { programHome } from './program-home.ts'
import { type ProviderImage, putProvider } from './provider-package.ts'
import { type Shelf, startShelf } from './shelf.ts'

const GENEROUS = { timeoutMs: 180_000 }
const FAMILY = 'provider-family-parts'
const HEAD = 'head.parts.example.org'
const MEMBER = 'member.parts.example.org'
const STRANGER = 'stranger.parts.example.org'

/** What programs of a family do with what another of them brought, and what none may. */
const QUESTIONS = [
  `GET /apis/${HEAD}/v1/providerconfigs`,
  `GET /apis/${HEAD}/v1/parts`,
  'GET /api/v1/namespaces/default/secrets/credentials',
  'GET /api/v1/namespaces/default/secrets/of-a-part',
  `DELETE /apis/${HEAD}/v1/providerconfigs/default`,
  `PATCH /apis/${HEAD}/v1/providerconfigs/default {"spec":{"credentials":{"secretRef":{"namespace":"default","name":"of-others"}}}}`,
]

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('K194 a family of providers from images', () => {
  let directory: string
  let plane: TestControlPlane
  let registry: MemoryRegistry
  let shelf: Shelf
  const install = async (image: ProviderImage): Promise<void> => {
    const spec = { package: await putProvider(registry, image) }
    await plane.client.create({ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: image.name }, spec } as KubeObject)
    await eventually(
      async () =>
        expect(conditionsOf(await plane.client.get(providerKind, { name: image.name }))).toMatchObject([
          { type: 'Installed', status: 'True' },
          { type: 'Healthy', status: 'True' },
        ]),
      GENEROUS,
    )
  }
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'weft-provider-family-'))
    registry = await startMemoryRegistry()
    shelf = await startShelf()
    plane = await startControlPlane({ dataDir: join(directory, 'data') })
    for (const name of ['credentials', 'of-a-part', 'of-others'])
      await plane.client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name } })
    // One is there before what it uses, which comes with another of its family.
    await install({ name: 'provider-member', group: MEMBER, family: FAMILY })
    await install({ name: 'provider-stranger', group: STRANGER, family: FAMILY, organisation: 'others' })
    await install({ name: FAMILY, group: HEAD, family: FAMILY })
    const named = (name: string): object => ({ credentials: { source: 'Secret', secretRef: { namespace: 'default', name } } })
    const objects = [
      { kind: 'ProviderConfig', metadata: { name: 'default' }, spec: named('credentials') },
      { kind: 'Part', metadata: { name: 'of-the-head' }, spec: { ...named('of-a-part'), forProvider: { shelf: shelf.address } } },
    ]
    for (const object of objects) await plane.client.create({ apiVersion: `${HEAD}/v1`, ...object } as KubeObject)
  }, 600_000)
  afterAll(async () => {
    await plane?.stop()
    await registry?.close()
    await shelf?.close()
    await rm(await programHome(join(directory, 'data')), { recursive: true, force: true })
    await rm(directory, { recursive: true, force: true })
  })

  let asked = 0
  /** What the server answers the program of the provider of a group. */
  const answers = async (group: string, questions: readonly string[]): Promise<readonly string[]> => {
    const name = `asked-${asked++}`
    const spec = { deletionPolicy: 'Delete', forProvider: { shelf: shelf.address, look: { ask: questions } } }
    await plane.client.create({ apiVersion: `${group}/v1`, kind: 'Part', metadata: { name }, spec } as KubeObject)
    return eventually(async () => {
      const part = await plane.client.get({ group, kind: 'Part' }, { name })
      expect(findCondition(conditionsOf(part as never), 'Ready')?.status).toBe('True')
      return Object.values((part['status'] as { atProvider: { seen: { ask: Record<string, string> } } }).atProvider.seen.ask)
    }, GENEROUS)
  }

  test('one uses the ProviderConfigs of another, reads what they name, and nothing beyond', async () => {
    await eventually(async () => expect(await answers(MEMBER, QUESTIONS)).toEqual(['200', '200', '200', '403', '403', '403']), GENEROUS)
    const usage = { apiVersion: `${HEAD}/v1`, kind: 'ProviderConfigUsage', metadata: { name: 'by-member' }, spec: {} }
    expect(await answers(MEMBER, [`POST /apis/${HEAD}/v1/providerconfigusages ${JSON.stringify(usage)}`])).toEqual(['201'])
  })

  test('one of another organisation that says it belongs to it has nothing of theirs', async () => {
    expect(await answers(STRANGER, QUESTIONS)).toEqual(QUESTIONS.map(() => '403'))
  })

  test('what another took along is gone', async () => {
    for (const [kind, name] of [
      ['Part', 'of-the-head'],
      ['ProviderConfig', 'default'],
      ['ProviderConfigUsage', 'by-member'],
    ] as const)
      await plane.client.delete({ group: HEAD, kind }, { name })
    const gone = (kind: { group: string; kind: string }, name: string): Promise<void> =>
      eventually(async () => expect(await plane.client.find(kind, { name })).toBeUndefined(), GENEROUS)
    await gone({ group: HEAD, kind: 'Part' }, 'of-the-head')
    await plane.client.delete(providerKind, { name: FAMILY })
    await gone(providerKind, FAMILY)
    await eventually(async () => expect(await answers(MEMBER, QUESTIONS.slice(0, 3))).toEqual(['403', '403', '403']), GENEROUS)
  })
})
