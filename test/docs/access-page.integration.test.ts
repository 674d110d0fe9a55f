import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliWorld, startCliWorld } from '../integration/cli-world.ts'

/** What there is before a teammate comes: the page leads on from a control plane that offers something. */
const SHOP = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n'
const CLAIM = 'apiVersion: database.crossplane.io/v1alpha1\nkind: PostgreSQLInstance\nmetadata: {name: app, namespace: shop}\nspec: {}\n'

describe('the page on giving people access', () => {
  let world: CliWorld
  let page: string
  beforeAll(async () => {
    page = await readFile(new URL('../../docs/access.md', import.meta.url), 'utf8')
    world = await startCliWorld()
    await world.file('shop.yaml', SHOP)
    await world.file('claim.yaml', CLAIM)
    await world.ok('apply', '-f', 'shop.yaml')
  })
  afterAll(() => world?.stop())

  it('has commands that work as they stand: those in blocks in their order, then those in the table', async () => {
    const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'))
    const table = page.split('\n').filter((line) => line.startsWith('| '))
    const inTable = table.flatMap((line) => [...line.matchAll(/`(weft [a-z]+ [^`]+)`/g)].map(([, command = '']) => command))
    const complete = [...blocks, ...inTable].filter((line) => line !== 'weft user add')
    expect(blocks.length).toBeGreaterThan(3)
    expect(inTable).toEqual(expect.arrayContaining(['weft token ada -n shop', 'weft user list', 'weft user remove ada -n shop']))
    for (const line of complete) {
      const [program, ...words] = line.split(' ')
      expect(program).toBe('weft')
      if (words[0] !== 'console') await world.ok(...words)
      // It goes on until somebody ends it.
      else await world.follow(...words, '--port', '0').until(/code=/)
    }
    expect(await world.ok('get', 'postgresqlinstances', '-n', 'shop', '-o', 'name')).toContain(
      'postgresqlinstance.database.crossplane.io/app',
    )
    expect((await world.weft('get', 'claim', '--kubeconfig', 'ada.kubeconfig')).code).toBe(1)
  })
})
