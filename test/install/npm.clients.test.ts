import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packNpm } from '../../scripts/pack/npm.mjs'
import { followReadme } from '../examples/follow-readme.ts'
import { openEmptyWorkshop } from '../examples/workshop.ts'
import { startWeft } from '../weft-process.ts'
import { nodes } from './nodes.mjs'
import { typedUnder } from './install-page.ts'
import { satisfyClaim } from './satisfy-claim.ts'

const run = promisify(execFile)
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const available = await nodes()
for (const node of available) if ('skipped' in node) console.log(`Weft from npm on Node ${node.version} is not tried: ${node.skipped}`)

/** What `npm publish` would publish, installed in an empty folder: nothing of this repository is in reach. */
describe('Weft from npm', () => {
  let folder: string
  let manifests: Record<string, any>[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-npm-'))
    const tarballs = await packNpm(join(folder, 'tarballs'))
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    // As package managers install that run no scripts of packages unless they are told to: Weft must need none.
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
    await run('npm', ['install', ...options, ...tarballs], { cwd: folder })
    const ours = join(folder, 'node_modules', '@weft')
    const names = await readdir(ours)
    manifests = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(ours, name, 'package.json'), 'utf8'))))
  }, 600_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is published whole: no private package, no reference to a workspace, no source in TypeScript', async () => {
    expect(manifests.map(({ name }) => name).toSorted()).toEqual(
      ['api', 'cli', 'client', 'composition', 'provider-sdk', 'runtime', 'testing'].map((name) => `@weft/${name}`),
    )
    for (const { private: kept, dependencies = {}, version, description } of manifests) {
      expect(description).toMatch(/\S \S/)
      expect(kept).toBeUndefined()
      for (const [name, wanted] of Object.entries(dependencies)) expect(wanted).toMatch(name.startsWith('@weft/') ? version : /^\d/)
    }
    const files = await readdir(join(folder, 'node_modules', '@weft'), { recursive: true })
    expect(files.filter((file) => /(?<!\.d)\.tsx?$/.test(file))).toEqual([])
  })

  it('is installed as the page says', { timeout: 600_000 }, async () => {
    const [install = '', up] = await typedUnder('npm')
    const tarball = join(folder, 'tarballs', `weft-cli-${manifests.find(({ name }) => name === '@weft/cli')?.['version']}.tgz`)
    const env = {
      ...process.env,
      npm_config_prefix: join(folder, 'global'),
      npm_config_prefer_offline: 'true',
      npm_config_omit: 'optional',
    }
    await run('sh', ['-c', install.replace('@weft/cli', `"${tarball}"`)], { cwd: folder, env })
    expect(up).toBe('weft up')
    expect((await run(join(folder, 'global', 'bin', 'weft'), ['--version'], { cwd: folder })).stdout).toMatch(/^\d+\.\d+\.\d+/)
  })

  it('leads through the tutorial: a first claim, a definition and a provider of one’s own', { timeout: 900_000 }, () =>
    followReadme('docs/tutorial.md', () => openEmptyWorkshop(join(folder, 'global', 'bin', 'weft'))),
  )

  it.each(available.filter((node) => 'path' in node))(
    'satisfies a claim with a PostgreSQL server, on Node $version',
    { timeout: 600_000 },
    async ({ path }) => {
      const installed = { node: path, weft: join(folder, 'node_modules', '@weft', 'cli', 'bin', 'weft.mjs') }
      const control = await startWeft({ installed })
      const weft = async (...args: string[]): Promise<string> =>
        (await run(installed.node, [installed.weft, ...args], { cwd: folder, env: { ...process.env, KUBECONFIG: control.kubeconfig } }))
          .stdout
      try {
        await satisfyClaim(weft)
      } finally {
        await control.stop()
      }
    },
  )

  it('gives authors libraries with types', async () => {
    const project = join(folder, 'author')
    await mkdir(project)
    await writeFile(
      join(project, 'author.ts'),
      `import { gvkOf, type KubeObject } from '@weft/api'
import { readField } from '@weft/composition'
import { defineProvider } from '@weft/provider-sdk'
import { startControlPlane, startTestServer, waitFor } from '@weft/testing'

const object: KubeObject = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'a' } }
// @ts-expect-error: a name is a text.
object.metadata.name = 1
console.log(gvkOf(object).kind, typeof readField, typeof defineProvider)
const kind = { group: '', kind: 'ConfigMap' }
const named = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { a: 'b' } }
const server = await startTestServer()
const plane = await startControlPlane({ args: ['--in-memory'] })
for (const { client } of [server, plane]) {
  await client.create(named)
  const found = await waitFor(client, kind, { name: 'a', namespace: 'default' }, (each) => each !== undefined)
  console.log(found?.metadata.name)
}
await plane.stop()
await server.close()
`,
    )
    const compilerOptions = {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
    }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['author.ts'] }))
    const compiled = await run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', project], { cwd: project }).catch(
      (error: unknown) => error,
    )
    const shipped = await readdir(join(folder, 'node_modules', '@weft', 'api', 'dist'))
    expect(compiled, `with ${shipped.join(' ')}`).toMatchObject({ stdout: '' })
    expect((await run(process.execPath, [join(project, 'author.js')], { cwd: project })).stdout).toBe('Thing function function\na\na\n')
  })

  it('a new provider passes its own check, and the conformance suite', { timeout: 600_000 }, async () => {
    const weft = join(folder, 'node_modules', '@weft', 'cli', 'bin', 'weft.mjs')
    await run(process.execPath, [weft, 'package', 'init', 'provider', 'my-provider'], { cwd: folder })
    const project = join(folder, 'my-provider')
    await mkdir(join(project, 'node_modules', '@types'), { recursive: true })
    await symlink(join(root, 'node_modules', '@types', 'node'), join(project, 'node_modules', '@types', 'node'))
    await run(join(root, 'node_modules', '.bin', 'tsc'), [], { cwd: project })
    const tests = (await readdir(join(project, 'src'))).filter((file) => file.endsWith('.test.ts')).map((file) => join('src', file))
    const loader = join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')
    const { stdout } = await run(process.execPath, ['--import', loader, '--test', ...tests], { cwd: project })
    expect(stdout).toMatch(/^# fail 0$/m)
    expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(20)
  })
})
