import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWeft } from '../weft-process.ts'
import { type CommandResult, followWeft, weft, weftWith } from './weft-command.ts'

let root: string
let dataDir: string
const dataFile = (): string => join(dataDir, 'storage', 'data.mdb')
const config = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\ndata: {value: ${`text-of-${name}-`.repeat(50)}}\n---\n`

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'weft-damaged-'))
  dataDir = join(root, 'data')
  const plane = await startWeft({ dataDir, args: ['--api-only'] })
  const applied = await weftWith(
    { input: ['one', 'two', 'three'].map(config).join('') },
    'apply',
    '-f',
    '-',
    '--kubeconfig',
    plane.kubeconfig,
  )
  expect(applied.code, applied.output).toBe(0)
  const passphrase = join(root, 'passphrase')
  writeFileSync(passphrase, 'correct horse battery staple\n')
  const backup = ['backup', join(root, 'copy.mdb'), '--data-dir', dataDir, '--with-keys', '--passphrase-file', passphrase]
  expect(await weft(...backup)).toMatchObject({ code: 0 })
  await plane.stop()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Of a control plane that cannot start: it must end by itself. */
const up = (...args: string[]): Promise<CommandResult> =>
  weft('up', '--port', '0', '--no-console', '--api-only', '--data-dir', dataDir, ...args)

describe('a data directory that is damaged', () => {
  it('is not started on: the start ends with a code and a sentence; check names what is lost, repair keeps the rest', async () => {
    const bytes = readFileSync(dataFile())
    // Pages that are no longer used may hold copies of it: each is damaged, so that the one that counts is.
    const text = 'text-of-two-'.repeat(50)
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + 100] = (bytes[at + 100] as number) ^ 1
    writeFileSync(dataFile(), bytes)

    const started = await up()
    expect(started.code).toBe(1)
    expect(started.stderr).toMatch(/^error: .*configmaps\/default\/two/m)
    const checked = await weft('check', '--data-dir', dataDir)
    expect(checked).toMatchObject({ code: 1 })
    expect(checked.stdout).toContain('lost: core/configmaps/default/two')
    expect(checked.stdout).not.toContain('default/one')

    const asked = await weft('repair', '--data-dir', dataDir)
    expect(asked, 'nobody confirmed it').toMatchObject({ code: 1 })
    expect(readFileSync(dataFile()).equals(bytes), 'nothing was changed').toBe(true)
    const repaired = await weft('repair', '--data-dir', dataDir, '--yes')
    expect(repaired.code, repaired.output).toBe(0)
    expect(repaired.stdout).toContain('lost: core/configmaps/default/two')
    expect((await weft('check', '--data-dir', dataDir)).code).toBe(0)

    const plane = await startWeft({ dataDir, args: ['--api-only'] })
    const { stdout } = await weft('get', 'configmaps', '-o', 'name', '--kubeconfig', plane.kubeconfig)
    expect(stdout).toContain('configmap/one')
    expect(stdout).not.toContain('configmap/two')
    await plane.stop()
  })

  it('is not begun anew when its data file, or all of its store, is missing', async () => {
    for (const [path, away] of [
      [dataFile(), `${dataFile()}.away`],
      [join(dataDir, 'storage'), join(root, 'storage.away')],
    ] as const) {
      renameSync(path, away)
      const started = await up()
      expect(started.code, started.output).toBe(1)
      expect(started.stderr).toContain('there was one')
      rmSync(path, { recursive: true, force: true })
      renameSync(away, path)
    }
  })

  it('belongs to whoever took it over: the other ends by itself, with a sentence', async () => {
    const first = followWeft({}, 'up', '--port', '0', '--no-console', '--api-only', '--data-dir', dataDir)
    await first.until(/Weft is ready/)
    first.child.kill('SIGSTOP')
    const refused = await up()
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toContain(String(first.child.pid))
    const second = followWeft({}, 'up', '--port', '0', '--no-console', '--api-only', '--data-dir', dataDir, '--take-over')
    await second.until(/Weft is ready/)
    const ended = new Promise((resolve) => first.child.once('exit', resolve))
    first.child.kill('SIGCONT')
    expect(await ended).toBe(1)
    expect(first.output()).toContain('has taken over')
    await second.stop()
  })
})

describe('a backup with keys', () => {
  it('restores who everyone is, for whoever knows the passphrase', async () => {
    const restored = join(root, 'restored')
    const restore = ['restore', join(root, 'copy.mdb'), '--data-dir', restored, '--with-keys']
    const wrong = await weftWith({ env: { WEFT_PASSPHRASE: 'guess' } }, ...restore)
    expect(wrong).toMatchObject({ code: 1 })
    expect(wrong.stderr).toContain('passphrase')
    const sealed = readFileSync(join(root, 'copy.mdb.keys'), 'utf8')
    expect(sealed).not.toContain('PRIVATE KEY')
    const right = await weftWith({ env: { WEFT_PASSPHRASE: 'correct horse battery staple' } }, ...restore)
    expect(right.code, right.output).toBe(0)
    for (const file of ['ca.key', 'ca.crt', 'service-account.key', 'admin.crt'])
      expect(readFileSync(join(restored, 'pki', file), 'utf8')).toBe(readFileSync(join(dataDir, 'pki', file), 'utf8'))
    const plane = await startWeft({ dataDir: restored, args: ['--api-only'] })
    // The kubeconfig from before knows the same authority.
    const old = readFileSync(join(dataDir, 'kubeconfig'), 'utf8').replace(/https:\/\/[^\s"]+/, plane.address)
    writeFileSync(join(root, 'old-kubeconfig'), old)
    const { stdout, code } = await weft('get', 'configmaps', '-o', 'name', '--kubeconfig', join(root, 'old-kubeconfig'))
    expect(code).toBe(0)
    expect(stdout).toContain('configmap/two')
    await plane.stop()
  })
})
