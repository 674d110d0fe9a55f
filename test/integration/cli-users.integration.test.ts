import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliWorld, startCliWorld } from './cli-world.ts'
import { type CommandResult, weftWith } from './weft-command.ts'

let world: CliWorld
beforeAll(async () => {
  world = await startCliWorld()
  const namespaces = ['shop', 'bank'].map((name) => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`)
  expect(await world.weftWithInput(namespaces.join('---\n'), 'apply', '-f', '-')).toMatchObject({ code: 0 })
})
afterAll(() => world.stop())

const as = (file: string, ...args: readonly string[]): Promise<CommandResult> =>
  weftWith({ cwd: world.folder, env: { KUBECONFIG: join(world.folder, file), HOME: world.folder, NO_COLOR: '1' } }, ...args)

describe('weft user', () => {
  it('makes an application operator of one namespace, whose access ends with the account', async () => {
    const added = await world.ok('user', 'add', 'ada', '--role', 'application-operator', '-n', 'shop')
    expect(added).toMatch(/^ada has the role application-operator in the namespace shop\nWrote ada\.kubeconfig, which contains a token/)
    expect((await stat(join(world.folder, 'ada.kubeconfig'))).mode & 0o777).toBe(0o600)
    expect(added).not.toContain(/token: "([^"]+)"/.exec(await readFile(join(world.folder, 'ada.kubeconfig'), 'utf8'))?.[1] ?? 'none')

    // The namespace is that of the kubeconfig; another team's is out of reach.
    expect(await as('ada.kubeconfig', 'get', 'postgresqlinstances')).toMatchObject({ code: 0 })
    expect((await as('ada.kubeconfig', 'get', 'postgresqlinstances', '-n', 'bank')).output).toMatch(/[Ff]orbidden|may not/)
    expect((await as('ada.kubeconfig', 'get', 'clusterroles')).code).toBe(1)
    expect((await as('ada.kubeconfig', 'status')).stdout).toMatch(/^Objects: +0 claim in namespace shop; you may not list .*managed$/m)

    expect(await world.ok('user', 'list')).toMatch(/^NAME +ROLE +NAMESPACE +AGE\nada +application-operator +shop +\d+s\n$/)
    expect((await world.weft('user', 'add', 'ada', '--role', 'browser', '-n', 'shop')).stderr).toMatch(
      /ada has the role application-operator already: `weft user remove ada` first/,
    )
    const again = await world.ok('user', 'add', 'ada', '--role', 'application-operator', '-n', 'shop')
    expect(again).toContain('Replaced ada.kubeconfig')

    expect((await world.weft('user', 'remove', 'ada')).stderr).toMatch(/there is no account ada in the namespace default/)
    expect(await world.ok('user', 'remove', 'ada', '-n', 'shop')).toBe('ada no longer has access\n')
    expect((await as('ada.kubeconfig', 'get', 'postgresqlinstances')).code).toBe(1)
    expect((await world.ok('get', 'rolebindings', '-n', 'shop', '-o', 'name')).split('\n').filter((name) => name.includes('ada'))).toEqual(
      [],
    )
  })

  it('makes an infrastructure operator everywhere', async () => {
    await world.ok('user', 'add', 'grace', '--role', 'infrastructure-operator', '-o', 'g.yaml', '--duration', '1h')
    expect(await as('g.yaml', 'get', 'compositions')).toMatchObject({ code: 0 })
    expect((await as('g.yaml', 'get', 'secrets', '-A')).code).toBe(1)
    expect(await world.ok('user', 'remove', 'grace')).toBe('grace no longer has access\n')
  })

  it.each([
    ['no role', ['user', 'add', 'ada'], /--role/],
    ['a role that is none', ['user', 'add', 'ada', '--role', 'king'], /application-operator, infrastructure-operator/],
    ['a name that is none', ['user', 'add', 'Ada Lovelace', '--role', 'browser'], /cannot be the name of an account/],
    [
      'a namespace that does not exist',
      ['user', 'add', 'ada', '--role', 'application-operator', '-n', 'nowhere'],
      /no namespace nowhere: create it first/,
    ],
    ['a token for a moment', ['user', 'add', 'ada', '--role', 'browser', '--duration', '1s'], /at least ten minutes/],
  ])('says what is wrong with %s', async (_reason, args, says) => {
    const { code, stderr } = await world.weft(...args)
    expect(code).toBe(1)
    expect(stderr).toMatch(says)
  })

  it('leaves what it did not make alone', async () => {
    const foreign = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: weft-user-eve, namespace: shop}\n'
    await world.weftWithInput(foreign, 'apply', '-f', '-')
    expect((await world.weft('user', 'add', 'eve', '--role', 'application-operator', '-n', 'shop')).stderr).toMatch(
      /which `weft user add` did not create: choose another name/,
    )
    expect((await world.weft('user', 'remove', 'eve', '-n', 'shop')).code).toBe(1)
    expect((await world.weft('get', 'serviceaccount', 'weft-user-eve', '-n', 'shop')).code).toBe(0)
  })
})
