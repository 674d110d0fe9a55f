import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { type CommandResult, weftWith } from './weft-command.ts'

/** What somebody does who starts Weft for the first time, in an empty folder. */
describe('the first five minutes', () => {
  let folder: string
  let control: WeftProcess
  const weft = (...args: string[]): Promise<CommandResult> => weftWith({ cwd: folder, env: { KUBECONFIG: control.kubeconfig } }, ...args)
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-first-'))
    control = await startWeft({ dataDir: join(folder, 'data') })
  })
  afterAll(async () => {
    await control?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('begin with a greeting that says what to do next', async () => {
    await expect.poll(() => control.output()).toContain('weft init platform --apply --data-dir')
  })

  it('lead to a platform that works as it is: a class and a claim, a definition and a composition', async () => {
    expect(await weft('init', '--apply')).toMatchObject({ code: 0, stdout: expect.stringContaining('weft trace databaserequirement/shop') })
    expect((await readdir(join(folder, 'platform'))).toSorted()).toEqual(['README.md', 'ask', 'offer'])
    const waited = await weft('wait', '--for=condition=Ready', 'postgresqlinstance/app', 'databaserequirement/shop', '--timeout=150s')
    expect(waited).toMatchObject({ code: 0 })
    const secret = await weft('get', 'secret', 'shop', '-o', 'json')
    const { data } = JSON.parse(secret.stdout) as { data: Record<string, string> }
    expect(Object.keys(data).toSorted()).toEqual(['endpoint', 'password', 'port', 'username'])
  })

  it('say next what leads to the same server, wherever it keeps its data', async () => {
    const dataDir = join(folder, 'data')
    expect(await weft('init', 'other', '--data-dir', dataDir)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`weft apply -f other/offer --wait --data-dir ${dataDir}\n`),
    })
  })

  it('never write over what is there', async () => {
    expect(await weft('init')).toMatchObject({ code: 1, stderr: expect.stringContaining('platform is not empty') })
  })

  it('end with access for a teammate, and a new token when theirs has expired', async () => {
    expect(await weft('token', 'ada')).toMatchObject({ code: 1, stderr: expect.stringContaining('weft user add ada --role') })
    expect(await weft('user', 'add', 'ada', '--role', 'application-operator', '-n', 'default')).toMatchObject({ code: 0 })
    const { code, stdout } = await weft('token', 'ada')
    expect(code).toBe(0)
    const claims = JSON.parse(Buffer.from(stdout.split('.')[1] ?? '', 'base64url').toString()) as { sub: string; exp: number; iat: number }
    expect(claims).toMatchObject({ sub: 'system:serviceaccount:default:weft-user-ada' })
    expect(claims.exp - claims.iat).toBe(3600)
    expect(await weft('get', 'claim', '--kubeconfig', 'ada.kubeconfig')).toMatchObject({ code: 0, stdout: expect.stringContaining('app') })
  })

  it('go on and end as the README of the platform says, typed where `weft up` runs', async () => {
    const readme = await readFile(join(folder, 'platform', 'README.md'), 'utf8')
    const lines = [...readme.matchAll(/^ {4}weft (.*?)( +#.*)?$/gm)].map(([, line = '']) => line)
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines) expect(await weft(...line.split(' ')), line).toMatchObject({ code: 0 })
    expect(await weft('get', 'managed')).toMatchObject({ code: 0, output: 'No resources found.\n' })
  })
})
