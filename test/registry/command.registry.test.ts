import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandResult, weftWith } from '../integration/weft-command.ts'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { PASSWORD, type RegistryProcess, startRegistry } from './registry-process.ts'

let home: string
let registry: RegistryProcess
let plane: WeftProcess
/** As a user who has signed in with docker login. */
const weft = (...args: readonly string[]): Promise<CommandResult> =>
  weftWith({ cwd: home, env: { DOCKER_CONFIG: join(home, 'docker') } }, ...args)
const onPlane = (...args: readonly string[]): Promise<CommandResult> => weft(...args, '--data-dir', plane.dataDir)

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'weft-command-'))
  registry = await startRegistry({ auth: 'password' })
  plane = await startWeft({ args: ['--no-console', '--package-path', tmpdir()] })
  await mkdir(join(home, 'docker'))
  const auth = Buffer.from(`user:${PASSWORD}`).toString('base64')
  await writeFile(join(home, 'docker', 'config.json'), JSON.stringify({ auths: { [registry.host]: { auth } } }))
}, 180_000)
afterAll(async () => {
  await plane.stop()
  await registry.stop()
  await rm(home, { recursive: true, force: true })
})

describe('weft package', () => {
  it('makes, builds, pushes, installs and lists a package', async () => {
    expect(await weft('package', 'init', 'configuration', 'my-platform')).toMatchObject({ code: 0 })
    const built = await weft('package', 'build', 'my-platform')
    expect(built).toMatchObject({ code: 0 })
    expect(built.stdout).toContain('1 InfrastructureDefinition')
    const first = await readFile(join(home, 'my-platform.xpkg'))
    await weft('package', 'build', 'my-platform', '-o', 'again.xpkg')
    expect(Buffer.compare(first, await readFile(join(home, 'again.xpkg')))).toBe(0)
    const image = `${registry.host}/team/my-platform:v0.1.0`
    const digest = /sha256:[0-9a-f]{64}/.exec(built.stdout)?.[0] ?? 'none'
    const pushed = await weft('package', 'push', '-f', 'my-platform.xpkg', image)
    expect(pushed).toMatchObject({ code: 0 })
    expect(pushed.stdout).toContain(`${image}@${digest}`)
    const config = await readFile(join(home, 'docker', 'config.json'), 'utf8')
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/dockerconfigjson',
      metadata: { name: 'pull', namespace: 'crossplane-system' },
      stringData: { '.dockerconfigjson': config },
    }
    await writeFile(join(home, 'secret.json'), JSON.stringify(secret))
    expect(await onPlane('apply', '-f', 'secret.json')).toMatchObject({ code: 0 })
    const installed = await onPlane('package', 'install', image, '--pull-secret', 'pull', '--wait', '--timeout', '90s')
    expect(installed.output).toContain('configuration.pkg.crossplane.io/my-platform is healthy')
    expect(installed.code).toBe(0)
    const listed = await onPlane('package', 'list')
    expect(listed.stdout).toMatch(new RegExp(`my-platform +Configuration +True +True +${registry.host}/team/my-platform +v0.1.0 +\\d+s`))
    expect(`${built.output}${pushed.output}${installed.output}${listed.output}${plane.output()}`).not.toContain(PASSWORD)
  })

  it('makes a provider that installs from its directory', async () => {
    expect(await weft('package', 'init', 'provider', 'provider-sample')).toMatchObject({ code: 0 })
    const installed = await onPlane('package', 'install', 'provider-sample', '--wait', '--timeout', '90s')
    expect(installed.output).toContain('provider.pkg.crossplane.io/provider-sample is healthy')
    expect((await onPlane('get', 'mrd', 'widgets.sample.example.org')).code).toBe(0)
    // What it makes goes with the object that asked for it, unless its author says otherwise.
    expect((await onPlane('get', 'mrd', 'widgets.sample.example.org', '-o', 'yaml')).stdout).toMatch(
      /deletionPolicy:\n(?: +.*\n){0,4}? +default: Delete/,
    )
    expect((await onPlane('package', 'install', './provider-sample')).stdout).toContain('unchanged')
  })

  it.each([
    ['a directory that is no package', ['package', 'build', '.'], /no crossplane\.yaml/],
    ['a directory that is not there', ['package', 'build', 'missing'], /no such directory/],
    ['a type that is none', ['package', 'init', 'stack', 'x'], /provider, configuration/],
    ['a directory that is not empty', ['package', 'init', 'provider', '.'], /--name|not empty/],
    ['a place that is no registry', ['package', 'push', '-f', 'taken', 'my-platform:v1'], /names no registry/],
    ['a path to push to', ['package', 'push', '-f', 'taken', './x'], /registry\/repository:tag/],
    ['a key that is not there', ['package', 'push', '-f', 'taken', 'localhost:1/a:v1', '--sign-key', 'missing.pem'], /signing key/],
    ['a registry that is down', ['package', 'push', '-f', 'taken', 'localhost:1/a:v1'], /is the registry running/],
    ['a bad document', ['package', 'build', 'bad'], /composition\.yaml: document 1 \(line 1\)/],
    ['a package that is not there', ['package', 'install', './missing'], /no such file/],
    ['an installation without a server', ['package', 'install', './taken', '--data-dir', 'nowhere'], /weft up/],
  ])('says in one line what is wrong with %s', async (_reason, args, says) => {
    await mkdir(join(home, 'taken'), { recursive: true })
    await mkdir(join(home, 'bad'), { recursive: true })
    const meta = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: taken}\n'
    for (const folder of ['taken', 'bad']) await writeFile(join(home, folder, 'crossplane.yaml'), meta)
    await writeFile(join(home, 'bad', 'composition.yaml'), 'apiVersion: v1\nkind: Secret\nmetadata: {name: x}\n')
    const before = (await readdir(home)).toSorted()
    const { code, stdout, stderr } = await weft(...args)
    expect(stderr).toMatch(says)
    expect(
      stderr
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('error: ')),
    ).toHaveLength(1)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect((await readdir(home)).toSorted()).toEqual(before)
  })

  it('an installation that fails says why', async () => {
    const image = `${registry.host}/team/missing:v1`
    const { code, stderr } = await onPlane(
      'package',
      'install',
      image,
      '--name',
      'missing',
      '--type',
      'provider',
      '--wait',
      '--timeout',
      '10s',
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/provider\.pkg\.crossplane\.io\/missing is not healthy/)
  })
})
