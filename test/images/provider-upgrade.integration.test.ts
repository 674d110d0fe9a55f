import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCondition, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { providerKind, providerRevisionKind, type RevisionObject } from '@weft/controllers'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MemoryRegistry, startMemoryRegistry } from '../../packages/xpkg/src/registry/memory-registry.fixture.ts'
import { GROUP, putProvider } from './provider-package.ts'
import { programHome } from './program-home.ts'
import { type Shelf, startShelf } from './shelf.ts'

const GENEROUS = { timeoutMs: 180_000 }
const partKind = { group: GROUP, kind: 'Part' }
const NAME = 'provider-parts'
/** Made before it is decided which version runs, and after. */
const PARTS_BETWEEN = 8

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'K166, K183–K192 a provider from an image, upgraded and downgraded',
  () => {
    let directory: string
    let plane: TestControlPlane
    let registry: MemoryRegistry
    let shelf: Shelf
    const images = new Map<string, string>()
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'weft-provider-upgrade-'))
      registry = await startMemoryRegistry()
      shelf = await startShelf()
      for (const version of ['v1.0.0', 'v2.0.0']) images.set(version, await putProvider(registry, { name: NAME, version }))
      plane = await startControlPlane({ dataDir: join(directory, 'data') })
      await bringTo('v1.0.0')
      await runsAlone('v1.0.0')
    }, 300_000)
    afterAll(async () => {
      await plane?.stop()
      await registry?.close()
      await shelf?.close()
      await rm(await programHome(join(directory, 'data')), { recursive: true, force: true })
      await rm(directory, { recursive: true, force: true })
    })

    const bringTo = (version: string): Promise<KubeObject> =>
      plane.client.apply(
        { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: NAME }, spec: { package: images.get(version) } },
        { force: true },
      )

    const make = async (name: string): Promise<string> => {
      const part = {
        apiVersion: `${GROUP}/v1`,
        kind: 'Part',
        metadata: { name },
        spec: { deletionPolicy: 'Delete', forProvider: { shelf: shelf.address, size: 1 } },
      }
      return (await eventually(() => plane.client.create(part as KubeObject), GENEROUS)).metadata.uid ?? ''
    }

    /** Processes that are told which version they are, with the pid of each. */
    const running = async (): Promise<readonly string[]> => {
      const found: string[] = []
      const home = await programHome(join(directory, 'data'))
      for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
        const environment = (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).split('\0')
        if (!environment.includes(`PROVIDER_NAME=${NAME}`)) continue
        // Who waits beside it for our own end is the shell of its start, not a second program. Others may run this test beside us.
        const [command = '', ...rest] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
        const root = await readlink(`/proc/${pid}/root`).catch(() => '')
        if (!root.startsWith(home) || !command.endsWith('node') || rest.length === 0) continue
        found.push(environment.find((each) => each.startsWith('PARTS_VERSION='))?.split('=')[1] ?? '')
      }
      return found
    }

    const runsAlone = (version: string): Promise<void> =>
      eventually(async () => {
        expect(conditionsOf(await plane.client.get(providerKind, { name: NAME }))).toMatchObject([
          { type: 'Installed', status: 'True' },
          { type: 'Healthy', status: 'True' },
        ])
        const revisions = (
          await plane.client.list<RevisionObject>(providerRevisionKind, { labels: { matchLabels: { 'pkg.crossplane.io/package': NAME } } })
        ).items
        const active = revisions.filter(({ spec }) => spec.desiredState === 'Active')
        expect(active.map(({ spec }) => (spec as { image?: string }).image)).toEqual([images.get(version)])
        expect(await running()).toEqual([version])
      }, GENEROUS)

    test('while objects come and go it loses none of them, makes none twice, and never runs twice', { timeout: 600_000 }, async () => {
      const uids = new Map<string, string>()
      const wanted = new Set<string>()
      let count = 0
      let isOver = false
      const most: number[] = []
      const load = (async () => {
        while (!isOver) {
          const name = `p${count++}`
          uids.set(name, await make(name))
          wanted.add(name)
          const [oldest] = wanted
          if (wanted.size > 12 && oldest !== undefined) {
            wanted.delete(oldest)
            await eventually(() => plane.client.delete(partKind, { name: oldest }), GENEROUS)
          }
          most.push((await running()).length)
        }
      })()
      /** The load goes on by itself: so many more objects, whatever that takes. */
      const more = async (): Promise<void> => {
        const goal = count + PARTS_BETWEEN
        await eventually(() => expect(count).toBeGreaterThanOrEqual(goal), GENEROUS)
      }
      try {
        await more()
        for (const version of ['v2.0.0', 'v1.0.0', 'v2.0.0', 'v1.0.0']) {
          await bringTo(version)
          await more()
          await runsAlone(version)
          await more()
        }
      } finally {
        isOver = true
        await load
      }
      expect(Math.max(...most)).toBe(1)
      for (const name of wanted)
        await eventually(async () => {
          const part = await plane.client.get(partKind, { name })
          expect(findCondition(conditionsOf(part as never), 'Ready')?.status).toBe('True')
          expect(part.metadata.uid).toBe(uids.get(name))
        }, GENEROUS)
      await eventually(async () => {
        expect((await plane.client.list(partKind)).items.map(({ metadata }) => metadata.name).toSorted()).toEqual([...wanted].toSorted())
        expect([...shelf.parts.keys()].toSorted()).toEqual([...wanted].toSorted())
      }, GENEROUS)
      expect([...uids].filter(([, uid]) => (shelf.made.get(uid) ?? 0) > 1)).toEqual([])
      for (const name of wanted) expect(shelf.parts.get(name)?.owner).toBe(uids.get(name))
      await runsAlone('v1.0.0')
    })
  },
)
