import { issueClientCertificate } from '@weft/apiserver'
import { execFileSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { type CommandResult, weftWith } from './weft-command.ts'

let plane: WeftProcess
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weft-cli-server-'))
  plane = await startWeft({ dataDir: join(folder, '.weft'), args: ['--no-console'] })
})
afterAll(async () => {
  if (plane.child.exitCode === null && plane.child.signalCode === null) await plane.kill()
  await rm(folder, { recursive: true, force: true })
})

/** In the folder of the control plane, with no kubeconfig but its own. */
const here = (...args: readonly string[]): Promise<CommandResult> =>
  weftWith({ cwd: folder, env: { KUBECONFIG: undefined, HOME: folder, NO_COLOR: '1' } }, ...args)

/** In an empty folder of a user without anything. */
async function elsewhere(env: Readonly<Record<string, string | undefined>>, ...args: readonly string[]): Promise<CommandResult> {
  const empty = await mkdtemp(join(folder, 'empty-'))
  return weftWith({ cwd: empty, env: { KUBECONFIG: undefined, HOME: empty, NO_COLOR: '1', ...env } }, ...args)
}

const kubeconfigWith = async (name: string, change: (text: string) => string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, change(await readFile(plane.kubeconfig, 'utf8')))
  return path
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('the server that a command talks to', () => {
  it('is the one of this folder, of the environment, of an option', async () => {
    expect(await here('get', 'ns', 'default', '-o', 'name')).toMatchObject({ code: 0, stdout: 'namespace/default\n' })
    expect(await elsewhere({ KUBECONFIG: plane.kubeconfig }, 'get', 'ns/default', '-o', 'name')).toMatchObject({ code: 0 })
    expect(await elsewhere({}, 'get', 'ns/default', '-o', 'name', '--kubeconfig', plane.kubeconfig)).toMatchObject({ code: 0 })
    expect(await elsewhere({}, '--data-dir', plane.dataDir, 'get', 'ns/default', '-o', 'name')).toMatchObject({ code: 0 })
  })

  it.each([
    ['there is none', () => elsewhere({}, 'get', 'ns'), /no server to talk to: .*`weft up`/],
    ['there is none to back up', () => elsewhere({}, 'backup', 'b.mdb'), /there is no control plane in \.weft.*`weft up`/],
    ['the data directory is not there', () => elsewhere({}, 'get', 'ns', '--data-dir', 'nowhere'), /nowhere.*`weft up --data-dir nowhere`/],
    ['the kubeconfig is not there', () => elsewhere({ KUBECONFIG: '/no/such/file' }, 'get', 'ns'), /\/no\/such\/file.*--kubeconfig/],
    [
      'the kubeconfig is none',
      async () => elsewhere({ KUBECONFIG: await kubeconfigWith('broken', () => 'a: [') }, 'get', 'ns'),
      /broken is not YAML/,
    ],
    ['the context is not there', () => here('get', 'ns', '--context', 'other'), /no context "other".*--context/],
    [
      'nobody listens',
      async () => {
        const port = await closedPort()
        const path = await kubeconfigWith('unreachable', (text) => text.replace(/server: .*/, `server: https://127.0.0.1:${port}`))
        return elsewhere({ KUBECONFIG: path }, 'get', 'ns')
      },
      /cannot reach https:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\).*unreachable/,
    ],
    [
      'it is another server',
      async () => {
        const other = await startWeft({ args: ['--no-console'] })
        try {
          const path = await kubeconfigWith('stranger', (text) => text.replace(/server: .*/, `server: ${other.address}`))
          return await elsewhere({ KUBECONFIG: path }, 'get', 'ns')
        } finally {
          await other.stop()
        }
      },
      /is not the server that .*stranger trusts/,
    ],
    [
      'it does not know us',
      async () => {
        const path = await kubeconfigWith('unknown', (text) =>
          text.replace(/ {4}client-certificate-data: .*\n/, '    token: not-a-token-4711\n').replace(/ {4}client-key-data: .*\n/, ''),
        )
        return elsewhere({ KUBECONFIG: path }, 'get', 'ns')
      },
      /does not accept the credentials in .*unknown/,
    ],
    [
      'our certificate has expired',
      async () => {
        const { certificate, key } = await expiredCertificate()
        const path = await kubeconfigWith('expired', (text) =>
          text
            .replace(/client-certificate-data: .*/, `client-certificate-data: ${Buffer.from(certificate).toString('base64')}`)
            .replace(/client-key-data: .*/, `client-key-data: ${Buffer.from(key).toString('base64')}`),
        )
        return elsewhere({ KUBECONFIG: path }, 'get', 'ns')
      },
      /the client certificate expired on .*get a new kubeconfig/,
    ],
  ])('when %s, one line says so, and what to do', async (_reason, run, pattern) => {
    const { code, stdout, stderr } = await run()
    expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(pattern)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).not.toContain('4711')
  })
})

/** Of the server's own authority, and over since long. */
async function expiredCertificate(): Promise<{ readonly certificate: string; readonly key: string }> {
  const pem = async (name: string): Promise<string> => readFile(join(plane.dataDir, 'pki', name), 'utf8')
  const certificatePem = await pem('ca.crt')
  const authority = { certificate: new X509Certificate(certificatePem), certificatePem, key: createPrivateKey(await pem('ca.key')) }
  const clock = { now: () => Date.parse('2020-01-01T00:00:00Z') }
  return issueClientCertificate(authority, { user: 'late', groups: ['system:masters'], clock, lifeMillis: 3_600_000 })
}

describe('weft version, status, top and completion', () => {
  it('tells versions, its own even without a server', async () => {
    expect((await here('version')).stdout).toMatch(/^Client: (\d+\.\d+\.\d+) .*\nServer: \1 \(Kubernetes API v\d+\.\d+\.\d+\)\n$/)
    expect(await elsewhere({}, 'version', '--client')).toMatchObject({ code: 0 })
    const alone = await elsewhere({}, 'version')
    expect(alone).toMatchObject({ code: 1 })
    expect(alone.stdout).toMatch(/^Client: /)
    expect(JSON.parse((await here('version', '-o', 'json')).stdout)).toMatchObject({ clientVersion: {}, serverVersion: { major: '1' } })
  })

  it('says how the control plane is', async () => {
    const { code, stdout } = await here('status')
    expect(code).toBe(0)
    expect(stdout).toContain(`Address:  ${plane.address}\nHealth:   ready\n`)
    expect(stdout).toMatch(new RegExp(`Process: +${plane.child.pid}, data in \\.weft`))
    const answer = JSON.parse((await here('status', '-o', 'json')).stdout) as { objects: number; uptimeSeconds: number }
    expect(answer).toMatchObject({ ready: true, process: { pid: plane.child.pid } })
    expect(answer.objects).toBeGreaterThan(0)
  })

  it('shows what controllers do', async () => {
    const { code, stdout } = await here('top', '--interval', '100ms', '--sort-by', 'name')
    expect(code).toBe(0)
    expect(stdout).toMatch(/reconciles\/s.*\n\nCONTROLLER +RATE\/S +ERRORS\/S +AVERAGE +P99 +QUEUE/)
    expect(stdout).toMatch(/\nactivation +/)
    const all = JSON.parse((await here('top', '--interval', '100ms', '--all', '-o', 'json')).stdout) as { controller: string }[]
    expect(all.map(({ controller }) => controller)).toContain('claim/PostgreSQLInstance.database.crossplane.io')
    expect(await here('top', '--url', `http://127.0.0.1:${await closedPort()}/metrics`)).toMatchObject({ code: 1, stdout: '' })
  })

  it('completes in bash: commands, options, kinds, names, and files', async () => {
    const script = (await here('completion', 'bash')).stdout
    const bin = await mkdtemp(join(folder, 'bin-'))
    const weft = new URL('../../packages/cli/bin/weft.mjs', import.meta.url).pathname
    await writeFile(join(bin, 'weft'), `#!/bin/sh\nexec ${process.execPath} ${weft} "$@"\n`, { mode: 0o755 })
    const complete = (line: string): string[] =>
      execFileSync(
        'bash',
        [
          '--norc',
          '-c',
          `${script}\nCOMP_LINE=${JSON.stringify(line)}\nCOMP_POINT=\${#COMP_LINE}\ncompopt() { echo compopt; }\n_weft\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        { cwd: folder, env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder, KUBECONFIG: '' } },
      )
        .toString()
        .split('\n')
        .filter((word) => word !== '')
    expect(complete('weft des')).toEqual(['describe'])
    expect(complete('weft apply --dry')).toEqual(['--dry-run'])
    expect(complete('weft get namesp')).toEqual(['namespaces'])
    expect(complete('weft get ns kube-p')).toEqual(['kube-public'])
    expect(complete('weft describe ns/def')).toEqual(['ns/default'])
    expect(complete('weft get secrets -n cross')).toEqual(['crossplane-system'])
    expect(complete('weft apply -f ')).toEqual(['compopt'])
    expect(complete('weft nonsense ')).toEqual([])
  })

  it('is silent where there is nothing to complete from, and refuses unknown shells', async () => {
    expect(await elsewhere({}, '__complete', '--', 'get', 'sec')).toMatchObject({ code: 0, output: '' })
    expect(await elsewhere({ KUBECONFIG: '/no/such' }, '__complete', '--', 'get', 'ns', '')).toMatchObject({ code: 0, output: '' })
    expect((await here('completion', 'tcsh')).code).toBe(1)
    for (const shell of ['zsh', 'fish']) expect((await here('completion', shell)).stdout).toContain('weft __complete --')
  })
})

describe('usage', () => {
  it('shows help with an example for every command, and suggests what was meant', async () => {
    const help = await here('--help')
    expect(help.code).toBe(0)
    const names = [...help.stdout.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name]) => name ?? '').filter((name) => name !== 'help')
    expect(names).toEqual(expect.arrayContaining(['apply', 'get', 'up', 'down']))
    expect(help.stdout).not.toContain('__complete')
    for (const name of ['apply', 'get', 'down', 'top']) expect((await here(name, '--help')).stdout).toMatch(/\nExample:\n {2}\S/)
    expect((await here('gett')).stderr).toMatch(/unknown command 'gett'[^]*Did you mean get/)
    expect((await here('get', '--nonsense')).stderr).toMatch(/unknown option '--nonsense'[^]*weft get --help/)
    expect((await here('wait', 'ns/default', '--for=delete', '--timeout=soon')).stderr).toMatch(/90s, 5m/)
    expect((await here('apply')).code).toBe(1)
  })
})

describe('weft down', () => {
  it('stops the control plane gracefully, and says so when there is none', async () => {
    const { code, stdout } = await here('down')
    expect({ code, stdout }).toEqual({ code: 0, stdout: `stopped process ${plane.child.pid}; data stays in .weft\n` })
    expect(await here('down')).toMatchObject({ code: 0, stdout: 'no control plane runs with .weft\n' })
    const status = await here('status')
    expect(status.code).toBe(1)
    expect(status.stderr).toMatch(/no control plane answers.*`weft up`/)
    expect((await here('down', '--data-dir', 'nowhere')).stderr).toMatch(/no data directory nowhere/)
    expect(plane.output()).toContain('SIGTERM: finishing open requests')
  })
})
