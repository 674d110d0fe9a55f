import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../packages/testing/src/index.ts'
import { type CliWorld, startCliWorld } from '../integration/cli-world.ts'
import { ensureTerraformProviders } from './build.mjs'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`the commands for Terraform providers are not tried: ${skipped}`)

const program = 'skipped' in built ? '' : built.time
const SOURCE = `hashicorp/time@0.0.1?from=${program}`

/** The line that begins with `name`, by the titles of the columns. */
function row(table: string, name: string): Readonly<Record<string, string>> {
  const [titles = '', ...lines] = table.split('\n')
  const line = lines.find((each) => each.startsWith(`${name} `)) ?? ''
  const columns = [...titles.matchAll(/\S+(?: \S+)*/g)]
  return Object.fromEntries(columns.map(({ 0: title, index }, i) => [title, line.slice(index, columns[i + 1]?.index).trim()]))
}

describe.skipIf(skipped !== undefined)('weft provider, where providers may run', () => {
  let world: CliWorld
  beforeAll(async () => {
    world = await startCliWorld({ args: ['--provider', 'nop', '--allow-provider-executables', '--package-path', dirname(program)] })
  }, 900_000)
  afterAll(() => world?.stop())

  test('adds one, shows and activates its kinds, and removes it when nothing needs it any more', { timeout: 300_000 }, async () => {
    expect(await world.weft('provider', 'list')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('add one with `weft provider add`') as string,
    })

    const added = await world.ok('provider', 'add', SOURCE, '--activate', 'offset')
    expect(added).toMatch(/^provider\.pkg\.crossplane\.io\/terraform-time is healthy\n\d+ kinds in the group time\.tf\.weft\.dev\n/)
    expect(added).toMatch(/\nactive: Offset\n$/)
    const count = /(\d+) kinds/.exec(added)?.[1] ?? ''
    expect(row(await world.ok('provider', 'list'), 'terraform-time')).toMatchObject({
      SOURCE: expect.stringContaining('hashicorp/time'),
      INSTALLED: 'True',
      HEALTHY: 'True',
      KINDS: count,
      ACTIVE: '1',
    })

    const kinds = await world.ok('provider', 'kinds', 'terraform-time')
    expect(kinds.trim().split('\n')).toHaveLength(Number(count) + 1)
    expect(row(kinds, 'Offset')).toEqual({ KIND: 'Offset', 'TERRAFORM TYPE': 'time_offset', GROUP: 'time.tf.weft.dev', ACTIVE: 'True' })
    expect(row(kinds, 'Rotating')).toMatchObject({ 'TERRAFORM TYPE': 'time_rotating', ACTIVE: 'False' })
    expect((await world.ok('provider', 'kinds', 'terraform-time', '--active', '--no-headers')).trim().split('\n')).toHaveLength(1)
    expect(await world.weft('provider', 'kinds', 'terraform-time', 'no-such-thing')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining(`Provider terraform-time has ${count}`),
    })

    expect(await world.ok('provider', 'activate', 'terraform-time', 'time_rotating')).toBe('active: Rotating\n')
    expect(row(await world.ok('provider', 'list'), 'terraform-time')).toMatchObject({ ACTIVE: '2' })
    expect(await world.weft('provider', 'activate', 'terraform-time', 'rotat')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('did you mean Rotating?'),
    })

    const offset = 'apiVersion: time.tf.weft.dev/v1alpha1\nkind: Offset\nmetadata: {name: later}\nspec: {forProvider: {offsetDays: 7}}\n'
    expect(await world.weftWithInput(offset, 'apply', '-f', '-')).toMatchObject({ code: 0 })
    await world.ok('wait', '--for=condition=Ready', 'offset.time.tf.weft.dev/later', '--timeout', '4m')
    const refused = await world.weft('provider', 'remove', 'terraform-time')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/Offset/)
    expect(row(await world.ok('provider', 'list'), 'terraform-time')).toMatchObject({ HEALTHY: 'True', ACTIVE: '2' })

    await world.ok('delete', 'offset.time.tf.weft.dev/later')
    expect(await world.ok('provider', 'remove', 'terraform-time')).toBe('provider.pkg.crossplane.io/terraform-time deleted\n')
    // What it installed goes first.
    await eventually(async () => expect(await world.weft('provider', 'list')).toMatchObject({ code: 0, stdout: '' }))
    expect(await world.weft('provider', 'kinds', 'terraform-time')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no Provider terraform-time') as string,
    })
  })
})

describe.skipIf(skipped !== undefined)('weft provider, where the operator has allowed no programs', () => {
  let world: CliWorld
  beforeAll(async () => {
    world = await startCliWorld({ args: ['--provider', 'nop', '--package-path', dirname(program)] })
  }, 900_000)
  afterAll(() => world?.stop())

  test('says who must allow it, and runs nothing', { timeout: 300_000 }, async () => {
    const adding = world.follow('provider', 'add', SOURCE)
    await adding.until(/its operator has not allowed: start the control plane with --allow-provider-executables/)
    await adding.stop()
    expect(row(await world.ok('provider', 'list'), 'terraform-time')).toMatchObject({ INSTALLED: 'False', KINDS: '0', ACTIVE: '0' })
    expect(await world.weft('provider', 'activate', 'terraform-time', 'offset')).toMatchObject({ code: 1 })
    expect(await world.ok('provider', 'remove', 'terraform-time')).toBe('provider.pkg.crossplane.io/terraform-time deleted\n')
  })
})
