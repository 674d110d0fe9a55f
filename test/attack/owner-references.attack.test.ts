import type { KubeObject } from '@weft/api'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, startAttackedWorld } from './world.ts'

const CONFIG_MAP = { group: '', kind: 'ConfigMap' }
const NOP = { group: 'nop.crossplane.io', kind: 'NopResource' }
const NOBODY = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody' }
const PATIENCE = { timeoutMs: 120_000 }

describe('references to owners', () => {
  let world: AttackedWorld
  beforeAll(async () => {
    world = await startAttackedWorld()
  })
  afterAll(() => world?.stop())

  /** Resolves when the collector has come past everything that was there before. */
  const settled = async (name: string): Promise<void> => {
    const ownerReferences = [{ ...NOBODY, uid: `canary-${name}` }]
    await world.admin.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', ownerReferences } })
    await eventually(async () => expect(await world.admin.find(CONFIG_MAP, { namespace: 'default', name })).toBeUndefined(), PATIENCE)
  }

  it('a cluster-scoped object stays whatever owner in a namespace it names', async () => {
    const ivy = await world.persona('infrastructure-operator', { name: 'ivy', namespace: 'platform' })
    const resource = (name: string): KubeObject => ({
      apiVersion: 'nop.crossplane.io/v1alpha1',
      kind: NOP.kind,
      metadata: { name, ownerReferences: [{ ...NOBODY, uid: `owner-of-${name}` }] },
      spec: { forProvider: {} },
    })
    const made = await eventually(() => ivy.client.create(resource('owned')), PATIENCE)
    await settled('canary-1')
    await settled('canary-2')
    expect((await ivy.client.get(NOP, { name: 'owned' })).metadata.uid).toBe(made.metadata.uid)
    await world.admin.delete(NOP, { name: 'owned' })
  })
})
