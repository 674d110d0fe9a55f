import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { deepEqual, findCondition, getOwn, gvkOf, isJsonObject, type KubeObject } from '@weft/api'
import { conditionsOf, controllerOf } from '@weft/composition'
import { eventually, recording, startControlPlane, type TestControlPlane, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { placed, storeWorld } from './stored-world.ts'
import { type Difference, differences } from './differences.ts'

/**
 * Everything that a real Crossplane left in its API server, and Weft instead of it: see the recording's own page. What a restart of Crossplane changes
 * there is nothing at all.
 */
const path = recording('world.json')
const GROUP = 'world.example.org'

describe.skipIf(path === undefined)('a world that Crossplane made', () => {
  const world = path === undefined ? [] : (JSON.parse(readFileSync(path, 'utf8')) as { items: readonly KubeObject[] }).items
  const objects = placed(world)
  const composites = world.filter((object) => object.apiVersion.startsWith(`${GROUP}/`) && refsOf(object) !== undefined)
  let dataDir = ''
  let plane: TestControlPlane

  beforeAll(async () => {
    dataDir = await storeWorld(objects)
    plane = await startControlPlane({ dataDir })
  })
  afterAll(async () => {
    await plane.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const now = (object: KubeObject): Promise<KubeObject | undefined> => {
    const { name = '', namespace } = object.metadata
    return plane.client.find(gvkOf(object), { name, namespace })
  }

  /** A new composite of each kind: when it is composed, its controller has seen all that came before. */
  const afterEveryKind = async (): Promise<void> => {
    const kinds = new Map(composites.filter(isSynced).map((xr) => [xr.kind, xr]))
    expect(kinds.size).toBeGreaterThan(10)
    for (const xr of kinds.values()) await plane.client.create(twinOf(xr))
    for (const xr of kinds.values()) {
      const { metadata } = twinOf(xr)
      const ref = { name: metadata.name ?? '', namespace: metadata.namespace }
      await waitFor(plane.client, gvkOf(xr), ref, (twin) => twin !== undefined && conditionsOf(twin).length > 0)
    }
  }

  test('nothing is written, deleted or made anew', async () => {
    await afterEveryKind()
    const changed: Record<string, readonly Difference[]> = {}
    for (const { key, object } of objects) {
      if (isServersOwn(object)) continue
      const live = await now(object)
      const found =
        live === undefined
          ? [{ path: '', before: 'there', after: 'gone' }]
          : differences(object, live).filter((each) => !isExpected(object, each))
      if (found.length > 0) changed[key] = found
    }
    expect(changed).toEqual({})
  })

  test('all that was Ready stays Ready, and every composite keeps its members', async () => {
    for (const xr of composites) {
      const live = await now(xr)
      expect(live && refsOf(live), xr.metadata.name).toEqual(refsOf(xr))
      for (const type of ['Ready', 'Synced'])
        expect(findCondition(conditionsOf(live ?? xr), type)?.status, `${xr.kind} ${xr.metadata.name ?? ''} ${type}`).toBe(
          findCondition(conditionsOf(xr), type)?.status,
        )
    }
  })

  test('edits go through to what is composed, under the names that it has', async () => {
    // What a claim or a composite above it sets, those have the last word about.
    const isFree = (xr: KubeObject): boolean => controllerOf(xr) === undefined && !isJsonObject(getOwn(xr['spec'] as object, 'claimRef'))
    const edited = composites.filter((xr) => isSynced(xr) && isFree(xr) && membersOf(xr).some(isSized))
    expect(edited.length).toBeGreaterThan(5)
    for (const xr of edited) {
      const { name = '', namespace } = xr.metadata
      const size = (xr['spec'] as Spec)['size'] === 7 ? 6 : 7
      await plane.client.patch(gvkOf(xr), { name, namespace }, { type: 'merge', body: { spec: { size } } })
    }
    for (const xr of edited)
      await eventually(async () => {
        const members = membersOf(xr).filter(isSized)
        const followed = await Promise.all(
          members.map(async (member) => !deepEqual(contentOf((await now(member)) ?? member), contentOf(member))),
        )
        expect(followed, `${xr.kind} ${xr.metadata.name ?? ''}`).toContain(true)
      })
    for (const { object } of objects.filter(({ object: { kind } }) => kind === 'NopResource' || kind === 'ConfigMap'))
      expect((await now(object))?.metadata.uid, object.metadata.name).toBe(object.metadata.uid)
  })

  test('deletes delete', async () => {
    const free = composites.filter(
      (xr) =>
        xr.metadata.labels?.['crossplane.io/in-use'] === undefined &&
        controllerOf(xr) === undefined &&
        isSynced(xr) &&
        membersOf(xr).length > 0,
    )
    const [xr] = free
    if (xr === undefined) throw new Error('there is none to delete')
    const { name = '', namespace } = xr.metadata
    await plane.client.delete(gvkOf(xr), { name, namespace })
    await waitFor(plane.client, gvkOf(xr), { name, namespace }, (live) => live === undefined)
    // Its provider does not run here, and holds what is its own.
    for (const member of membersOf(xr))
      await eventually(async () => {
        const live = await now(member)
        expect(live === undefined || live.metadata.deletionTimestamp !== undefined).toBe(true)
      })
  })

  const byUid = new Map<string, KubeObject[]>()
  for (const object of world) {
    const { uid } = controllerOf(object) ?? {}
    if (uid !== undefined) byUid.set(uid, [...(byUid.get(uid) ?? []), object])
  }
  const membersOf = (xr: KubeObject): readonly KubeObject[] => byUid.get(xr.metadata.uid ?? '') ?? []
})

type Spec = Readonly<Record<string, unknown>>

function refsOf(object: KubeObject): readonly unknown[] | undefined {
  const spec = (isJsonObject(object['spec']) ? object['spec'] : {}) as Spec
  const machinery = (isJsonObject(spec['crossplane']) ? spec['crossplane'] : spec) as Spec
  return machinery['resourceRefs'] as readonly unknown[] | undefined
}

const isSynced = (xr: KubeObject): boolean => findCondition(conditionsOf(xr), 'Synced')?.status === 'True'
const contentOf = (member: KubeObject): unknown => member['spec'] ?? member['data'] ?? {}
const isSized = (member: KubeObject): boolean => /"size":/.test(JSON.stringify(contentOf(member)))

/** The same wish, once more, under another name. */
function twinOf({ apiVersion, kind, metadata: { name, namespace }, spec }: KubeObject): KubeObject {
  const {
    crossplane,
    resourceRefs: _refs,
    claimRef: _claim,
    compositionRevisionRef: _revision,
    writeConnectionSecretToRef: _secret,
    ...rest
  } = spec as Spec
  const { compositionRef } = (crossplane ?? {}) as Spec
  return {
    apiVersion,
    kind,
    metadata: { name: `twin-of-${name ?? ''}`, ...(namespace !== undefined && { namespace }) },
    spec: { ...rest, ...(compositionRef !== undefined && { crossplane: { compositionRef } }) },
  }
}

/** The certificates of a server, and the kinds that both widen, are each server's own. */
const isServersOwn = ({ kind, metadata: { name = '' } }: KubeObject): boolean =>
  name === 'kube-root-ca.crt' || (kind === 'CustomResourceDefinition' && /\.(apiextensions|pkg|protection|ops)\.crossplane\.io$/.test(name))

/**
 * The recording's definitions lack descriptions, which were taken out of it, and so they are written once. The provider of databases that Weft brings
 * is noted where packages and what they activate are listed.
 */
function isExpected({ kind }: KubeObject, { path: at }: Difference): boolean {
  if (kind === 'CustomResourceDefinition') return /description$/.test(at) || /^metadata\.(generation|managedFields)/.test(at)
  if (kind === 'ManagedResourceActivationPolicy') return /^status\.activated|^metadata\.managedFields/.test(at)
  return kind === 'Lock' && /^packages\.\d+$|^metadata\.(generation|managedFields)/.test(at)
}
