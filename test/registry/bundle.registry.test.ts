import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detectIsolation } from '@weft/program'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeFunctionPackage } from '../images/node-image.ts'
import { programHome } from '../images/program-home.ts'
import { type CommandResult, weftWith } from '../integration/weft-command.ts'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { type RegistryProcess, startRegistry } from './registry-process.ts'

/** Whoever cannot keep a program apart from the machine runs none, and gets a bundle of what needs none. */
const runsPrograms = (await detectIsolation()) !== 'none'

let home: string
let registry: RegistryProcess | undefined
let plane: WeftProcess | undefined
const weft = (...args: readonly string[]): Promise<CommandResult> => weftWith({ cwd: home, env: { DOCKER_CONFIG: home } }, ...args)

/** A package as its author writes it: files in a folder. */
async function writeConfiguration(name: string, dependsOn: readonly object[]): Promise<void> {
  await mkdir(join(home, name))
  const meta = { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Configuration', metadata: { name }, spec: { dependsOn } }
  await writeFile(join(home, name, 'crossplane.yaml'), JSON.stringify(meta))
  const policy = { apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'ManagedResourceActivationPolicy', metadata: { name } }
  await writeFile(join(home, name, 'policy.yaml'), JSON.stringify({ ...policy, spec: { activate: [`*.${name}.example.org`] } }))
}

const succeeds = async (...args: readonly string[]): Promise<CommandResult> => {
  const result = await weft(...args)
  expect(result, result.output).toMatchObject({ code: 0 })
  return result
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'weft-bundles-'))
  registry = await startRegistry()
}, 180_000)
afterAll(async () => {
  await registry?.stop()
  if (plane !== undefined) {
    const programs = await programHome(plane.dataDir)
    await plane.stop()
    await rm(programs, { recursive: true, force: true })
  }
  await rm(home, { recursive: true, force: true })
})

describe('a bundle of packages', () => {
  it('takes a package with all that it depends on to a machine that reaches no registry', { timeout: 600_000 }, async () => {
    const host = registry?.host ?? ''
    const team = `${host}/team`
    await writeConfiguration('base', [])
    await writeConfiguration('platform', [
      { configuration: `${team}/base`, version: '>=v1.0.0' },
      ...(runsPrograms ? [{ function: `${team}/function-sizes`, version: 'v1.x' }] : []),
    ])
    for (const name of ['base', 'platform']) await succeeds('package', 'push', '-f', name, `${team}/${name}:v1.2.0`)
    if (runsPrograms) {
      await writeFunctionPackage(join(home, 'sizes.xpkg'), { name: 'function-sizes' })
      await succeeds('package', 'push', '-f', 'sizes.xpkg', `${team}/function-sizes:v1.0.0`)
    }

    const made = await succeeds('package', 'bundle', `${team}/platform:v1.2.0`, '-o', 'platform.bundle')
    for (const held of ['platform:v1.2.0', 'base:v1.2.0', ...(runsPrograms ? ['function-sizes:v1.0.0'] : [])])
      expect(made.stdout).toContain(`${team}/${held}`)
    // Nobody is there to be asked any more.
    await registry?.stop()
    registry = undefined
    await expect(fetch(`http://${host}/v2/`)).rejects.toThrow()

    plane = await startWeft({ args: ['--no-console', '--package-bundle', join(home, 'platform.bundle')] })
    const installed = await succeeds('package', 'install', 'platform.bundle', '--wait', '--timeout', '300s', '--data-dir', plane.dataDir)
    expect(installed.output).toContain('configuration.pkg.crossplane.io/platform is healthy')
    const listed = await succeeds('package', 'list', '--data-dir', plane.dataDir)
    expect(listed.stdout).toMatch(/platform +Configuration +True +True/)
    expect(listed.stdout).toMatch(/base +Configuration +True +True/)
    if (runsPrograms) {
      // What comes as a dependency is called after its repository.
      const [, name = ''] = /^(\S*function-sizes) +Function +True +True/m.exec(listed.stdout) ?? []
      await succeeds('logs', name, '--data-dir', plane.dataDir)
    }
  })

  it('that was cut off on the way is refused, and says so', async () => {
    const whole = await readFile(join(home, 'platform.bundle'))
    await writeFile(join(home, 'half.bundle'), whole.subarray(0, whole.length / 2))
    const refused = await weft('package', 'install', 'half.bundle', '--data-dir', plane?.dataDir ?? '')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/^error: .*half\.bundle/m)
  })
})
