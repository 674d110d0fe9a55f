import type { KubeObject } from '@weft/api'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, outcome, type Persona, startAttackedWorld } from './world.ts'

const CLAIM = { group: 'database.crossplane.io', kind: 'MySQLInstance' }
const NOP = { group: 'nop.crossplane.io', kind: 'NopResource' }

describe('what application operators see', () => {
  let world: AttackedWorld
  let amy: Persona
  let bob: Persona
  const made = new Map<string, string>()
  // RBAC alone decides on Kubernetes, and knows nothing of claims.
  const seesOwn = (): boolean => world.where === 'embedded'
  beforeAll(async () => {
    world = await startAttackedWorld()
    amy = await world.persona('application-operator', { name: 'amy', namespace: 'shop' })
    bob = await world.persona('application-operator', { name: 'bob', namespace: 'bank' })
    await world.admin.create({
      apiVersion: 'infrastructure.crossplane.io/v1alpha1',
      kind: 'ResourceClass',
      metadata: { name: 'small' },
      spec: {
        claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
        resource: { base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } } },
      },
    })
    for (const [{ client }, namespace] of [
      [amy, 'shop'],
      [bob, 'bank'],
    ] as const) {
      const claim: KubeObject = {
        apiVersion: `${CLAIM.group}/v1alpha1`,
        kind: CLAIM.kind,
        metadata: { name: 'db', namespace },
        spec: { classRef: { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass', name: 'small' } },
      }
      await eventually(async () => expect(await outcome(client.apply(claim))).toBe('allowed'))
      await eventually(async () => {
        const { spec, status } = (await client.get(CLAIM, { name: 'db', namespace })) as KubeObject & {
          spec: { resourceRef?: { name: string } }
          status?: { bindingPhase?: string }
        }
        expect(status?.bindingPhase).toBe('Bound')
        made.set(namespace, spec.resourceRef?.name ?? '')
      })
    }
  })
  afterAll(() => world?.stop())

  it('what is on offer, and what makes it', async () => {
    for (const [group, kind] of [
      ['infrastructure.crossplane.io', 'ResourceClass'],
      ['apiextensions.crossplane.io', 'Composition'],
      ['apiextensions.crossplane.io', 'InfrastructureDefinition'],
      ['weft.dev', 'ResourceBindingDefinition'],
      ['nop.crossplane.io', 'NopResourceClass'],
    ] as const)
      await eventually(async () => expect(await outcome(amy.client.list({ group, kind })), kind).toBe('allowed'))
  })

  it('what was made for them, and not what was made for others', async () => {
    const [own = '', other = ''] = [made.get('shop'), made.get('bank')]
    expect(await outcome(amy.client.get(NOP, { name: own }))).toBe(seesOwn() ? 'allowed' : 'Forbidden')
    expect(await outcome(amy.client.get(NOP, { name: other }))).toBe('Forbidden')
    expect(await outcome(amy.client.list(NOP))).toBe('Forbidden')
    expect(await outcome(amy.client.delete(NOP, { name: own }))).toBe('Forbidden')
    expect(await outcome(amy.client.patch(NOP, { name: own }, { type: 'merge', body: { spec: { deletionPolicy: 'Orphan' } } }))).toBe(
      'Forbidden',
    )
    // Naming it in a claim of one's own makes it nobody else's.
    const thief = { apiVersion: `${CLAIM.group}/v1alpha1`, kind: CLAIM.kind, metadata: { name: 'thief', namespace: 'shop' } }
    await outcome(
      amy.client.create({
        ...thief,
        spec: { resourceRef: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', name: other } },
      }),
    )
    expect(await outcome(amy.client.get(NOP, { name: other }))).toBe('Forbidden')
  })

  it('a trace tells as much as its reader may see', async () => {
    const traced = await amy.weft('trace', 'mysqlinstance/db')
    expect(traced.code, traced.output).toBe(0)
    expect(traced.output).toContain(made.get('shop'))
    expect(traced.output.includes('not visible to you')).toBe(!seesOwn())
  })
})
