import type { KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { eventually, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, type Persona, refusal, startAttackedWorld } from './world.ts'

const CLAIM = { group: 'database.crossplane.io', kind: 'MySQLInstance' }
const NOP = { group: 'nop.crossplane.io', kind: 'NopResource' }
const NOP_API = 'nop.crossplane.io/v1alpha1'
const classRef = { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass', name: 'databases' }
const claim = (name: string, spec: object = { classRef }): KubeObject => ({
  apiVersion: 'database.crossplane.io/v1alpha1',
  kind: 'MySQLInstance',
  metadata: { namespace: 'shop', name },
  spec,
})
const resourceClass = (name: string, base: object, of = 'MySQLInstance'): KubeObject => ({
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind: 'ResourceClass',
  metadata: { name },
  spec: { claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: of }, resource: { base } },
})
const nop = { apiVersion: NOP_API, kind: 'NopResource', spec: { forProvider: {} } }
/** Of somebody else's operator, and with all that makes a resource look free. */
const VAULT = { group: 'vaults.example.org', kind: 'Vault' }
const VAULTS: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `vaults.${VAULT.group}` },
  spec: {
    group: VAULT.group,
    names: { kind: 'Vault', plural: 'vaults', singular: 'vault', listKind: 'VaultList' },
    scope: 'Cluster',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}
const vault: KubeObject = {
  apiVersion: `${VAULT.group}/v1`,
  kind: 'Vault',
  metadata: { name: 'crown-jewels' },
  spec: { reclaimPolicy: 'Delete' },
  status: { bindingPhase: 'Unbound', conditions: [{ type: 'Ready', status: 'True', reason: 'Available' }] },
}
const isBound = (object: KubeObject | undefined): boolean => JSON.stringify(object?.['status'] ?? '').includes('"bindingPhase":"Bound"')
const refOf = (object: KubeObject | undefined): string =>
  JSON.stringify((object?.['spec'] as { resourceRef?: object } | undefined)?.resourceRef)

describe('what the author of a claim tries with it', () => {
  let world: AttackedWorld
  let amy: Persona
  beforeAll(async () => {
    world = await startAttackedWorld()
    amy = await world.persona('application-operator', { name: 'amy', namespace: 'shop' })
    await world.admin.create(resourceClass('databases', nop))
  })
  afterAll(() => world?.stop())

  const bound = async (name: string): Promise<KubeObject> => {
    await eventually(() => amy.client.create(claim(name)))
    return (await waitFor(amy.client, CLAIM, { namespace: 'shop', name }, isBound, {
      timeoutMs: 60_000,
    })) as KubeObject
  }
  const made = async (owner: KubeObject): Promise<readonly KubeObject[]> =>
    (await world.admin.list(NOP)).items.filter((each) => JSON.stringify(each['spec']).includes(owner.metadata.uid ?? '?'))

  it('neither replacing a claim by its file nor pointing it elsewhere gets another resource, or loses the first', async () => {
    const before = await bound('orders')
    await world.admin.create({ ...nop, metadata: { name: 'of-others' } })
    const replace = async (spec: object): Promise<string> => {
      const { resourceVersion = '' } = (await amy.client.get(CLAIM, { namespace: 'shop', name: 'orders' })).metadata
      return refusal(amy.client.update({ ...claim('orders', spec), metadata: { namespace: 'shop', name: 'orders', resourceVersion } }))
    }
    const other = { apiVersion: NOP_API, kind: 'NopResource', name: 'of-others' }
    for (const spec of [{}, { classRef }, { classRef, resourceRef: other }])
      expect(await replace(spec)).toContain('spec.resourceRef: Forbidden')
    for (const body of [{ spec: { resourceRef: null } }, { spec: { resourceRef: other } }, { spec: { classRef: null, resourceRef: null } }])
      expect(await refusal(amy.client.patch(CLAIM, { namespace: 'shop', name: 'orders' }, { type: 'merge', body }))).toContain('Forbidden')
    // Whoever gets round admission, by taking the mark away first, gains nothing: the reference comes back.
    await amy.client.patch(CLAIM, { namespace: 'shop', name: 'orders' }, { type: 'merge', body: { metadata: { finalizers: null } } })
    await refusal(
      amy.client.patch(
        CLAIM,
        { namespace: 'shop', name: 'orders' },
        { type: 'merge', body: { spec: { classRef: null, resourceRef: null } } },
      ),
    )
    await waitFor(
      amy.client,
      CLAIM,
      { namespace: 'shop', name: 'orders' },
      (each) => refOf(each) === refOf(before) && each?.metadata.finalizers !== undefined,
      { timeoutMs: 60_000 },
    )
    expect(await made(before)).toHaveLength(1)
    expect(JSON.stringify((await world.admin.get(NOP, { name: 'of-others' }))['spec'])).not.toContain('claimRef')
    await amy.client.delete(CLAIM, { namespace: 'shop', name: 'orders' })
    await eventually(async () => expect(await made(before)).toEqual([]))
  })

  it('a class does not bind a claim to a resource of a kind that nothing allows', async () => {
    await world.admin.create(VAULTS)
    await eventually(() => world.admin.create(vault))
    const { metadata: before } = await world.admin.get(VAULT, { name: 'crown-jewels' })
    for (const [name, resourceRef] of [
      ['to-vault', { apiVersion: vault.apiVersion, kind: 'Vault', name: 'crown-jewels' }],
      ['to-none', { apiVersion: vault.apiVersion, kind: 'Vault', name: 'no-such-thing' }],
      ['to-namespace', { apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' }],
      ['to-class', classRef],
    ] as const) {
      await amy.client.create(claim(name, { classRef, resourceRef }))
      const judged = await waitFor(
        amy.client,
        CLAIM,
        { namespace: 'shop', name },
        (each) => isBound(each) || conditionsOf(each as KubeObject).some(({ type, status }) => type === 'Synced' && status === 'False'),
        { timeoutMs: 60_000 },
      )
      expect(isBound(judged), name).toBe(false)
      // The same words whatever there is: nobody finds out by a claim what exists.
      expect(conditionsOf(judged as KubeObject).find(({ type }) => type === 'Synced')?.message).toContain('nothing lets a MySQLInstance')
      await amy.client.delete(CLAIM, { namespace: 'shop', name })
      await waitFor(amy.client, CLAIM, { namespace: 'shop', name }, (each) => each === undefined, { timeoutMs: 60_000 })
    }
    // Nothing was written to it, and it is not being deleted.
    expect((await world.admin.get(VAULT, { name: 'crown-jewels' })).metadata).toEqual(before)
  })
})

describe('what the author of a class does to the claims of others', () => {
  let world: AttackedWorld
  let amy: Persona
  let ivy: Persona
  beforeAll(async () => {
    world = await startAttackedWorld()
    amy = await world.persona('application-operator', { name: 'amy', namespace: 'shop' })
    ivy = await world.persona('infrastructure-operator', { name: 'ivy', namespace: 'platform' })
    await world.admin.create(resourceClass('databases', nop))
  })
  afterAll(() => world?.stop())

  it('no class stops the claims of others, whatever it makes or is for', async () => {
    const group = { apiVersion: 'aggregation.crossplane.io/v1alpha1', kind: 'AggregateResource', spec: {} }
    const refused = [
      resourceClass('makes-groups', group),
      resourceClass('makes-classes', { ...resourceClass('x', nop), metadata: {} }),
      { ...resourceClass('for-managed', nop), spec: { claim: { apiVersion: NOP_API, kind: 'NopResource' }, resource: { base: nop } } },
    ]
    for (const each of refused) expect(await refusal(ivy.client.create(each))).toContain('Forbidden')
    await amy.client.create(claim('after'))
    await waitFor(amy.client, CLAIM, { namespace: 'shop', name: 'after' }, isBound, { timeoutMs: 60_000 })
  })
})
