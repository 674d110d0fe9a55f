import type { Condition, KubeObject } from '@weft/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../admission/admission.fixture.ts'
import { openMemoryStorage } from '../storage/index.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const MERGE = { contentType: 'application/merge-patch+json' }
const storage = openMemoryStorage()
let weft: TestServer
beforeAll(async () => {
  weft = await startServer({ storage })
})
afterAll(() => weft.close())

interface Names {
  readonly plural: string
  readonly kind: string
  readonly shortNames?: readonly string[]
}

const version = (name: string, storage = true): object => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
})
const definition = (names: Names, { group = 'example.org', annotations = {}, ...spec }: Record<string, unknown> = {}): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${names.plural}.${String(group)}`, annotations },
  spec: { group, scope: 'Namespaced', names, versions: [version('v1')], ...spec },
})

interface Definition extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly Condition[]
    readonly acceptedNames?: object
    readonly storedVersions?: readonly string[]
  }
}

const read = async (name: string): Promise<Definition | undefined> => {
  const { code, body } = await weft.call('GET', `${CRDS}/${name}`)
  return code === 404 ? undefined : (body as Definition)
}
const conditionsOf = (found: Definition | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((found?.status?.conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason ?? ''}`]))
const until = async (name: string, conditions: Readonly<Record<string, string>>): Promise<void> => {
  await expect.poll(async () => conditionsOf(await read(name))).toMatchObject(conditions)
}
const ponds = '/apis/example.org/v1/namespaces/default/ponds'

describe('a definition', () => {
  it('is established, with its names and the version that is stored', async () => {
    await weft.ok('POST', CRDS, definition({ plural: 'ponds', kind: 'Pond' }))
    await until('ponds.example.org', { NamesAccepted: 'True NoConflicts', Established: 'True InitialNamesAccepted' })
    const { status } = (await read('ponds.example.org')) as Definition
    expect(status).toMatchObject({
      acceptedNames: { plural: 'ponds', singular: 'pond', kind: 'Pond', listKind: 'PondList' },
      storedVersions: ['v1'],
    })
    expect(status?.conditions?.map(({ type }) => type).toSorted()).toEqual(['Established', 'NamesAccepted'])
    expect((await weft.call('GET', ponds)).code).toBe(200)
  })

  it('says in which versions objects may be stored, and forgets none', async () => {
    const versions = [version('v1', false), version('v2')]
    await weft.ok('PATCH', `${CRDS}/ponds.example.org`, { spec: { versions } }, MERGE)
    await expect.poll(async () => (await read('ponds.example.org'))?.status?.storedVersions).toEqual(['v1', 'v2'])
    await weft.ok('PATCH', `${CRDS}/ponds.example.org`, { spec: { versions: [version('v1'), version('v2', false)] } }, MERGE)
    await expect.poll(async () => (await weft.call('GET', ponds.replace('v1', 'v2'))).code).toBe(200)
    expect((await read('ponds.example.org'))?.status?.storedVersions).toEqual(['v1', 'v2'])
  })

  it('whose kind another one has is not served until that one is gone', async () => {
    await weft.ok('POST', CRDS, definition({ plural: 'lakes', kind: 'Pond', shortNames: ['lk'] }))
    await until('lakes.example.org', { NamesAccepted: 'False ListKindConflict', Established: 'False NotAccepted' })
    expect((await read('lakes.example.org'))?.status?.acceptedNames).toMatchObject({ plural: 'lakes', kind: '', shortNames: ['lk'] })
    expect((await weft.call('GET', ponds.replace('ponds', 'lakes'))).code).toBe(404)
    // In another group the name is free.
    await weft.ok('POST', CRDS, definition({ plural: 'ponds', kind: 'Pond' }, { group: 'other.example.org' }))
    await until('ponds.other.example.org', { Established: 'True InitialNamesAccepted' })
    await weft.ok('DELETE', `${CRDS}/ponds.example.org`)
    await until('lakes.example.org', { NamesAccepted: 'True NoConflicts', Established: 'True InitialNamesAccepted' })
    await expect.poll(async () => (await weft.call('GET', ponds.replace('ponds', 'lakes'))).code).toBe(200)
    expect((await weft.call('GET', ponds)).code).toBe(404)
  })

  it('that was established stays so when it asks for a name that is taken', async () => {
    await weft.ok('POST', CRDS, definition({ plural: 'seas', kind: 'Sea' }))
    await until('seas.example.org', { Established: 'True InitialNamesAccepted' })
    await weft.ok('PATCH', `${CRDS}/seas.example.org`, { spec: { names: { plural: 'seas', kind: 'Sea', shortNames: ['lk'] } } }, MERGE)
    await until('seas.example.org', { NamesAccepted: 'False ShortNamesConflict', Established: 'True InitialNamesAccepted' })
    expect((await read('seas.example.org'))?.status?.acceptedNames).not.toHaveProperty('shortNames')
  })

  it.each([
    ['approved', 'https://github.com/kubernetes/kubernetes/pull/1', 'True ApprovedAnnotation'],
    ['bypassed', 'unapproved, experimental', 'False UnapprovedAnnotation'],
  ])('of a group of Kubernetes says whether it is approved: %s', async (plural, annotation, told) => {
    const annotations = { 'api-approved.kubernetes.io': annotation }
    await weft.ok('POST', CRDS, definition({ plural, kind: `X${plural}` }, { group: 'water.k8s.io', annotations }))
    await until(`${plural}.water.k8s.io`, { KubernetesAPIApprovalPolicyConformant: told, Established: 'True InitialNamesAccepted' })
  })
})

describe('a definition that is deleted', () => {
  it('goes after its objects, and waits for those that others hold', async () => {
    await weft.ok('POST', CRDS, definition({ plural: 'pools', kind: 'Pool' }))
    await until('pools.example.org', { Established: 'True InitialNamesAccepted' })
    const pools = ponds.replace('ponds', 'pools')
    const pool = { apiVersion: 'example.org/v1', kind: 'Pool' }
    await weft.ok('POST', pools, { ...pool, metadata: { name: 'free' } })
    await weft.ok('POST', pools, { ...pool, metadata: { name: 'held', finalizers: ['example.org/held'] } })
    await weft.ok('DELETE', `${CRDS}/pools.example.org`)
    await until('pools.example.org', { Terminating: 'True InstanceDeletionInProgress' })
    await expect.poll(async () => (await weft.call('GET', `${pools}/free`)).code).toBe(404)
    expect((await read('pools.example.org'))?.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io'])
    expect((await weft.ok('GET', `${pools}/held`)).metadata.deletionTimestamp).toBeDefined()
    await weft.ok('PATCH', `${pools}/held`, { metadata: { finalizers: null } }, MERGE)
    await expect.poll(() => read('pools.example.org')).toBeUndefined()
    await expect.poll(async () => (await weft.call('GET', pools)).code).toBe(404)
  })
})

describe('after a restart', () => {
  it('what was established is served at once', async () => {
    const again = await startServer({ storage })
    expect((await again.call('GET', ponds.replace('ponds', 'lakes'))).code).toBe(200)
    expect((await again.call('GET', ponds)).code).toBe(404)
    expect(again.ignored).toEqual([])
    await again.close()
  })
})
