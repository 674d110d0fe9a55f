import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, outcome, type Persona, startAttackedWorld } from './world.ts'

const SECRET = { group: '', kind: 'Secret' }
const BINDING = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
}

describe('what the shipped roles keep apart', () => {
  let world: AttackedWorld
  let amy: Persona
  let ivy: Persona
  beforeAll(async () => {
    world = await startAttackedWorld()
    amy = await world.persona('application-operator', { name: 'amy', namespace: 'shop' })
    ivy = await world.persona('infrastructure-operator', { name: 'ivy', namespace: 'platform' })
  })
  afterAll(() => world?.stop())

  it('no operator reads the secrets of another namespace', async () => {
    for (const persona of [amy, ivy])
      for (const namespace of ['crossplane-system', 'kube-system', 'default'])
        expect(await outcome(persona.client.list(SECRET, { namespace })), `${persona.username} in ${namespace}`).toBe('Forbidden')
  })

  it('no operator binds a role to themselves', async () => {
    for (const { client, username } of [amy, ivy]) {
      const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: username }]
      const everywhere = { ...BINDING, kind: 'ClusterRoleBinding', metadata: { name: 'mine' }, subjects }
      const here = { ...BINDING, kind: 'RoleBinding', metadata: { name: 'mine', namespace: 'shop' }, subjects }
      expect(await outcome(client.create(everywhere))).toBe('Forbidden')
      expect(await outcome(client.create(here))).toBe('Forbidden')
    }
  })

  it('no operator acts as somebody else', async () => {
    for (const { client } of [amy, ivy])
      for (const username of ['admin', 'system:serviceaccount:crossplane-system:weft'])
        expect(await outcome(client.impersonate({ username, groups: ['system:masters'] }).list(SECRET))).toBe('Forbidden')
  })
})
