import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeClock } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ExecPlugin, execCredentials, type RunProgram } from './exec-plugin.ts'
import { tokenFileCredentials } from './token-file.ts'

const V1 = 'client.authentication.k8s.io/v1'
const plugin: ExecPlugin = { apiVersion: V1, command: 'login' }
const answer = (status: object): string => JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status })

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weft-credentials-'))
})

afterAll(() => rm(directory, { recursive: true }))

describe('exec plug-in', () => {
  it('is run once for many, and again when its answer expires or is rejected', async () => {
    const clock = new FakeClock()
    let runs = 0
    const run: RunProgram = async () => answer({ token: `t${++runs}`, expirationTimestamp: new Date(clock.now() + 60_000).toISOString() })
    const source = execCredentials(plugin, clock, run)
    const [a, b] = await Promise.all([source.current(), source.current()])
    expect(a).toBe(b)
    expect(a).toEqual({ authorization: 'Bearer t1' })
    await clock.advance(49_000)
    expect(await source.current()).toBe(a)
    await clock.advance(2_000)
    const second = await source.current()
    expect(second).toEqual({ authorization: 'Bearer t2' })
    source.reject(second)
    // A late rejection of an older credential changes nothing.
    const third = await source.current()
    source.reject(second)
    expect(await source.current()).toBe(third)
    expect(runs).toBe(3)
  })

  it('gives certificates, and is told what it needs to know', async () => {
    let env: NodeJS.ProcessEnv = {}
    const run: RunProgram = async (_command, _args, given) => {
      env = given
      return answer({ clientCertificateData: 'C', clientKeyData: 'K' })
    }
    const source = execCredentials({ ...plugin, env: [{ name: 'MODE', value: 'x' }], cluster: { server: 's' } }, new FakeClock(), run)
    expect(await source.current()).toEqual({ certificate: 'C', key: 'K' })
    expect(env['MODE']).toBe('x')
    expect(JSON.parse(env['KUBERNETES_EXEC_INFO'] ?? '')).toEqual({
      kind: 'ExecCredential',
      apiVersion: V1,
      spec: { interactive: false, cluster: { server: 's' } },
    })
  })

  it.each([
    { reason: 'no JSON', output: 'hello', code: 'PluginAnswerInvalid' },
    { reason: 'another kind', output: '{"kind":"X"}', code: 'PluginAnswerInvalid' },
    { reason: 'no status', output: JSON.stringify({ kind: 'ExecCredential', apiVersion: V1 }), code: 'PluginAnswerInvalid' },
    { reason: 'nothing in it', output: answer({}), code: 'PluginAnswerInvalid' },
    { reason: 'a certificate without key', output: answer({ clientCertificateData: 'C' }), code: 'PluginAnswerInvalid' },
    { reason: 'a time that is none', output: answer({ token: 't', expirationTimestamp: 'soon' }), code: 'PluginAnswerInvalid' },
  ])('refuses an answer with $reason', async ({ output, code }) => {
    await expect(execCredentials(plugin, new FakeClock(), async () => output).current()).rejects.toMatchObject({ code })
  })

  it.each([
    { reason: 'an old version', given: { ...plugin, apiVersion: 'client.authentication.k8s.io/v1alpha1' } },
    { reason: 'a need for a terminal', given: { ...plugin, interactiveMode: 'Always' as const } },
  ])('refuses $reason', ({ given }) => {
    expect(() => execCredentials(given, new FakeClock())).toThrow(expect.objectContaining({ code: 'Unsupported' }) as Error)
  })

  it('runs real programs, found beside the kubeconfig, and says what to install when there is none', async () => {
    const path = join(directory, 'login')
    await writeFile(path, `#!/bin/sh\necho '${answer({ token: 'real' })}'\n`)
    await chmod(path, 0o755)
    expect(await execCredentials({ ...plugin, command: './login', directory }, new FakeClock()).current()).toEqual({
      authorization: 'Bearer real',
    })
    const missing = execCredentials({ ...plugin, command: './nowhere', directory, installHint: 'Get it from us.' }, new FakeClock())
    await expect(missing.current()).rejects.toMatchObject({
      code: 'PluginMissing',
      message: expect.stringContaining('Get it from us.') as string,
    })
    await writeFile(path, '#!/bin/sh\nexit 3\n')
    await expect(execCredentials({ ...plugin, command: './login', directory }, new FakeClock()).current()).rejects.toMatchObject({
      code: 'PluginFailed',
    })
  })
})

describe('token file', () => {
  it('is read again after a minute and after a rejection; a missing file does not lose the token', async () => {
    const clock = new FakeClock()
    const path = join(directory, 'token')
    await writeFile(path, 'one\n')
    const source = tokenFileCredentials(path, clock, { certificate: 'C', key: 'K' })
    const first = await source.current()
    expect(first).toEqual({ authorization: 'Bearer one', certificate: 'C', key: 'K' })
    await writeFile(path, 'two')
    expect(await source.current()).toBe(first)
    source.reject(first)
    const second = await source.current()
    expect(second.authorization).toBe('Bearer two')
    await rm(path)
    await clock.advance(61_000)
    expect(await source.current()).toBe(second)
    await expect(tokenFileCredentials(path, clock).current()).rejects.toMatchObject({ code: 'FileUnreadable' })
  })
})
