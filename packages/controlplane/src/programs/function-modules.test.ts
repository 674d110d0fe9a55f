import type { PackageRun, PackageRuntime } from '@weft/controllers'
import type { FunctionModules } from '@weft/functions'
import { describe, expect, test } from 'vitest'
import { installedModules } from './function-modules.ts'

const run = (annotations: Record<string, string>, files: Record<string, string> = {}, revision = 'f-1'): PackageRun =>
  ({
    packageName: 'f',
    revision: { metadata: { name: revision } },
    contents: {
      metadata: { metadata: { annotations } },
      files: new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
    },
    onChange: () => undefined,
  }) as unknown as PackageRun
const others: PackageRuntime = {
  ensure: () => Promise.resolve({ healthy: true, reason: 'AnImage' }),
  stop: () => Promise.resolve(),
}
const MODULE = { 'weft.dev/function-module': './function.js' }

describe('modules of installed functions', () => {
  test('are found while their package runs, and by no other revision’s leave', async () => {
    const modules = installedModules({ allowed: true })
    const runtime = modules.beside(others)
    expect(await runtime.ensure(run(MODULE, { 'function.js': 'grün' }))).toMatchObject({ healthy: true })
    expect(modules.find('f')).toEqual({ code: 'grün', file: 'function.js' })
    await runtime.stop('f', 'f-0')
    expect(modules.find('f')).toBeDefined()
    await runtime.stop('f', 'f-1')
    expect(modules.find('f')).toBeUndefined()
  })

  test('a module is not run unless the operator allows it', async () => {
    const modules = installedModules({ allowed: false })
    const health = await modules.beside(others).ensure(run(MODULE, { 'function.js': '' }))
    expect(health).toMatchObject({ healthy: false, message: expect.stringContaining('--allow-provider-executables') })
    expect(modules.find('f')).toBeUndefined()
  })

  test('one that is not in its package is said; packages without one are as before', async () => {
    const modules = installedModules({ allowed: true })
    expect(await modules.beside(others).ensure(run(MODULE))).toMatchObject({
      healthy: false,
      message: 'the package names function.js as its module, but contains no such file',
    })
    expect(await modules.beside(others).ensure(run({}))).toEqual({ healthy: true, reason: 'AnImage' })
  })

  test('those under development go before what is installed', async () => {
    const given: FunctionModules = { find: (name) => (name === 'f' ? { code: 'mine', file: 'f.ts' } : undefined) }
    const modules = installedModules({ allowed: true, given })
    await modules.beside(others).ensure(run(MODULE, { 'function.js': 'theirs' }))
    expect(modules.find('f')?.code).toBe('mine')
  })
})
