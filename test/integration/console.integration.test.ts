import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createServer } from 'node:net'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { weft, weftWith } from './weft-command.ts'

const WEFT = fileURLToPath(new URL('../../packages/cli/bin/weft.mjs', import.meta.url))

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

/** As a page of the console would ask. Certificates are not looked at: who serves is not what is tested here. */
function ask(address: string, method: string, path: string, { body, cookie }: { body?: object; cookie?: string } = {}): Promise<Answer> {
  const send = address.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = send(
      new URL(path, address),
      {
        method,
        rejectUnauthorized: false,
        headers: { origin: address, ...(body && { 'content-type': 'application/json' }), ...(cookie !== undefined && { cookie }) },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => (text += piece))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text },
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(body && JSON.stringify(body))
  })
}

/** The link that was printed; undefined until it is. */
const linkOf = (output: string): URL | undefined => {
  const found = /(https?:\S+\/console\/sign-in#code=\S+)/.exec(output)?.[1]
  return found === undefined ? undefined : new URL(found)
}

async function signIn(link: URL): Promise<Answer> {
  return ask(link.origin, 'POST', '/console/session', { body: { code: link.hash.slice('#code='.length) } })
}

const cookieOf = ({ headers }: Answer): string => (headers['set-cookie']?.[0] ?? '').split(';', 1)[0] ?? ''

const printedLink = (process: WeftProcess): Promise<URL> =>
  eventually(() => {
    const link = linkOf(process.output())
    if (link === undefined) throw new Error(`no link in ${process.output()}`)
    return link
  })

describe('weft up', () => {
  let process: WeftProcess
  let cookie = ''
  beforeAll(async () => void (process = await startWeft({ console: true })))
  afterAll(() => process.stop())

  it('prints the console’s address and a link that signs in once, as the administrator', async () => {
    const link = await printedLink(process)
    expect(link.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(process.output()).toContain(`Console:  ${link.origin}\n`)
    const answer = await signIn(link)
    expect(answer).toMatchObject({ status: 200, body: { server: { address: process.address } } })
    expect(answer.body['groups']).toContain('system:masters')
    expect((await signIn(link)).status).toBe(401)
    cookie = cookieOf(answer)
    const namespaces = await ask(link.origin, 'GET', '/k8s/api/v1/namespaces', { cookie })
    expect(namespaces).toMatchObject({ status: 200, body: { kind: 'NamespaceList' } })
  })

  it('is found again: `weft status` says where, `weft open` gets another link, and the key is the owner’s alone', async () => {
    const { origin } = await printedLink(process)
    const env = { KUBECONFIG: process.kubeconfig, DISPLAY: undefined, WAYLAND_DISPLAY: undefined }
    expect((await weftWith({ env }, 'status')).stdout).toContain(`Console:  ${origin} (`)
    const { code, output } = await weftWith({ env }, 'open')
    expect(code).toBe(0)
    const link = linkOf(output)
    expect(link?.origin).toBe(origin)
    expect((await signIn(link as URL)).status).toBe(200)
    const printed = await weftWith({ env: {} }, 'open', '--print', '--data-dir', process.dataDir)
    expect(printed.output).toMatch(/^http:\S+#code=\S+\n$/)
    expect((await stat(join(process.dataDir, 'console.json'))).mode & 0o077).toBe(0)
  })

  it('serves the app, with nothing inline and nothing from elsewhere', async () => {
    const { origin } = await printedLink(process)
    const page = await ask(origin, 'GET', '/')
    const html = String(page.body['text'])
    expect(page.status).toBe(200)
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/)
    expect(html).not.toMatch(/<style/)
    expect(html).not.toMatch(/(src|href)="https?:/)
    const script = /<script[^>]*\ssrc="([^"]+)"/.exec(html)?.[1] ?? ''
    expect((await ask(origin, 'GET', script)).headers['content-type']).toContain('text/javascript')
  })

  it('shows the controllers’ numbers of the last hour to those who are signed in', async () => {
    const { origin } = await printedLink(process)
    expect(await ask(origin, 'GET', '/console/metrics')).toMatchObject({ status: 401, body: { reason: 'SessionExpired' } })
    const samples = await eventually(
      async () => {
        const { body } = await ask(origin, 'GET', '/console/metrics', { cookie })
        expect(body['samples']).not.toEqual([])
        return body['samples'] as { at: number; queueDepth: number; reconcilesPerSecond: number }[]
      },
      { timeoutMs: 90_000, intervalMs: 500 },
    )
    for (const { at, queueDepth, reconcilesPerSecond } of samples) {
      expect(at).toBeGreaterThan(0)
      expect(queueDepth).toBeGreaterThanOrEqual(0)
      expect(reconcilesPerSecond).toBeGreaterThanOrEqual(0)
    }
  })

  it('serves no console when told so', async () => {
    const quiet = await startWeft()
    expect(linkOf(quiet.output())).toBeUndefined()
    expect(await quiet.stop()).toBe(0)
    expect(quiet.output()).not.toContain('Console:')
    const dataDir = await mkdtemp(join(tmpdir(), 'weft-quiet-'))
    expect((await weft('open', '--data-dir', dataDir)).output).toMatch(/^error: there is no control plane in /)
    await mkdir(join(dataDir, 'storage'))
    await writeFile(join(dataDir, 'kubeconfig'), '')
    expect((await weft('open', '--data-dir', dataDir)).output).toMatch(
      /^error: the control plane of \S+ serves no console now: start it with `weft up/,
    )
    await rm(dataDir, { recursive: true })
  })

  it('speaks TLS off this machine, and browsers keep the cookie to themselves', async () => {
    const open = await startWeft({ console: true, args: ['--console-host', '0.0.0.0'] })
    try {
      const link = await printedLink(open)
      expect(link.protocol).toBe('https:')
      const answer = await signIn(link)
      expect(answer.status).toBe(200)
      const again = await weft('open', '--print', '--data-dir', open.dataDir)
      expect((await signIn(new URL(again.stdout.trim()))).status).toBe(200)
      expect(answer.headers['set-cookie']?.[0]).toMatch(/^__Host-weft-console-\d+=\S+; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
    } finally {
      await open.stop()
    }
  })

  it('says so when the port that was asked for is taken, and stops cleanly', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const { code, output } = await weft('up', '--in-memory', '--port', '0', '--console-port', String(port))
    taken.close()
    expect(code).toBe(1)
    expect(output).toMatch(new RegExp(`^error: port ${port} of 127\\.0\\.0\\.1 is taken .* --console-port`))
  })

  it.each(['x', '-1', '65536', '80.5'])('refuses --console-port %s', async (port) => {
    const { code, output } = await weft('up', '--in-memory', '--port', '0', `--console-port=${port}`)
    expect(code).not.toBe(0)
    expect(output).toContain('a port is a number from 0 to 65535')
  })
})

describe('weft console', () => {
  let process: WeftProcess
  beforeAll(async () => void (process = await startWeft()))
  afterAll(() => process.stop())

  it('serves a console for a server that runs elsewhere, signed in as the kubeconfig’s user', async () => {
    const child = spawn(globalThis.process.execPath, [WEFT, 'console', '--kubeconfig', process.kubeconfig, '--port', '0'])
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => void (output += data.toString()))
    try {
      const link = await eventually(() => {
        const found = linkOf(output)
        if (found === undefined) throw new Error(`no link in ${output}`)
        return found
      })
      const answer = await signIn(link)
      expect(answer).toMatchObject({ status: 200, body: { server: { address: process.address } } })
      expect(answer.body['user']).not.toBe('')
      expect((await ask(link.origin, 'GET', '/k8s/version', { cookie: cookieOf(answer) })).status).toBe(200)
    } finally {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      expect((await ended)[0]).toBe(0)
    }
  })

  it.each([
    { reason: 'no kubeconfig', args: ['--kubeconfig', '/nonexistent/kubeconfig'], says: /cannot read the kubeconfig/ },
    { reason: 'no control plane there', args: ['--data-dir', '/nonexistent'], says: /start one with `weft up --data-dir/ },
    { reason: 'an unknown context', args: ['--context', 'nowhere'], says: /no context "nowhere"/ },
  ])('says what to do: $reason', async ({ args, says }) => {
    const { code, output } = await weft(
      'console',
      '--port',
      '0',
      ...(args[0] === '--context' ? ['--kubeconfig', process.kubeconfig] : []),
      ...args,
    )
    expect(code).toBe(1)
    expect(output).toMatch(says)
    expect(output.trim().split('\n')).toHaveLength(1)
  })

  it('says when nobody answers', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'weft-gone-'))
    const gone = await startWeft({ dataDir })
    await gone.stop()
    const { code, output } = await weft('console', '--port', '0', '--kubeconfig', gone.kubeconfig)
    await rm(dataDir, { recursive: true })
    expect(code).toBe(1)
    expect(output).toMatch(/^error: no control plane answers at https:\S+ \(ECONNREFUSED\): start it with `weft up --data-dir/)
  })
})
