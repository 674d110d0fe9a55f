import { eventually } from '@weft/testing'
import { get } from 'node:https'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, type Persona, startAttackedWorld } from './world.ts'

const RBAC = 'rbac.authorization.k8s.io'

/** A watch over the network, and whether the server has ended it. */
function watch(world: AttackedWorld, path: string, token: string): { readonly begun: Promise<number>; readonly isOver: () => boolean } {
  let over = false
  const begun = new Promise<number>((resolve, reject) => {
    const outgoing = get(
      `${world.address}${path}`,
      { ca: world.ca, agent: false, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        response.resume()
        response.once('end', () => (over = true))
        resolve(response.statusCode ?? 0)
      },
    )
    outgoing.on('error', reject)
  })
  return { begun, isOver: () => over }
}

describe('watches of those who lost their rights', () => {
  let world: AttackedWorld
  beforeAll(async () => {
    world = await startAttackedWorld()
  })
  afterAll(() => world?.stop())

  const path = '/api/v1/namespaces/shop/events?watch=true'
  const opened = async (persona: Persona): Promise<ReturnType<typeof watch>> => {
    const watching = watch(world, path, persona.token)
    expect(await watching.begun).toBe(200)
    return watching
  }
  const ended = (watching: ReturnType<typeof watch>): Promise<boolean> =>
    eventually(() => {
      if (!watching.isOver()) throw new Error('the watch is still open')
      return Promise.resolve(true)
    })

  it('end when the account is deleted, and those of others go on', async (context) => {
    if (world.where !== 'embedded') return context.skip('kube-apiserver lets watches run to their end')
    const gone = await world.persona('application-operator', { name: 'gone', namespace: 'shop' })
    const stays = await world.persona('application-operator', { name: 'stays', namespace: 'shop' })
    const [first, second] = [await opened(gone), await opened(stays)]
    await world.admin.delete({ group: '', kind: 'ServiceAccount' }, { name: 'gone', namespace: 'shop' })
    expect(await ended(first)).toBe(true)
    expect(second.isOver()).toBe(false)
  })

  it('end when the role is taken away', async (context) => {
    if (world.where !== 'embedded') return context.skip('kube-apiserver lets watches run to their end')
    const demoted = await world.persona('application-operator', { name: 'demoted', namespace: 'shop' })
    const watching = await opened(demoted)
    await world.admin.delete({ group: RBAC, kind: 'RoleBinding' }, { name: 'demoted', namespace: 'shop' })
    expect(await ended(watching)).toBe(true)
    expect(await watch(world, path, demoted.token).begun).toBe(403)
  })
})
