import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digestOf } from '../digest.ts'
import { listTags } from '../fetch-package.ts'
import { PackageError, type PackageErrorCode } from '../package-error.ts'
import { Repository } from './repository.ts'

/** What the registry of Debian cannot be made to do; test/registry has everything else, with a real one. */
let server: Server
let host: string
let answer: (request: IncomingMessage, response: ServerResponse) => void

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const repository = (): Repository =>
  new Repository({ registry: host, repository: 'a/b' }, { actions: 'pull', signal: new AbortController().signal })
const tags = (): Promise<string[]> => listTags({ registry: host, repository: 'a/b' })

async function codeOf(promise: Promise<unknown>): Promise<PackageErrorCode> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof PackageError) return error.code
  throw new Error('it was accepted', { cause: error })
}

describe('a registry', () => {
  it('may list tags over several pages', async () => {
    answer = ({ url = '' }, response) => {
      const last = new URL(url, 'http://x').searchParams.get('last')
      if (last === null) response.writeHead(200, { link: '</v2/a/b/tags/list?n=1000&last=v1>; rel="next"' }).end('{"tags":["v1"]}')
      else response.writeHead(200).end('{"tags":["v2"]}')
    }
    expect(await tags()).toEqual(['v1', 'v2'])
  })

  it('may not lead to another host for the next page', async () => {
    answer = (_request, response) =>
      void response.writeHead(200, { link: '<http://evil.example.org/v2/>; rel="next"' }).end('{"tags":["v1"]}')
    expect(await codeOf(tags())).toBe('Unavailable')
  })

  it('may not go on listing for ever', async () => {
    answer = (_request, response) =>
      void response.writeHead(200, { link: '</v2/a/b/tags/list?n=1000&last=x>; rel="next"' }).end('{"tags":["v1"]}')
    expect(await codeOf(tags())).toBe('TooLarge')
  })

  it.each(['{"tags":null}', '{}'])('that answers %s has no tags', async (body) => {
    answer = (_request, response) => void response.writeHead(200).end(body)
    expect(await tags()).toEqual([])
  })

  it('that answers no JSON is refused', async () => {
    answer = (_request, response) => void response.writeHead(200).end('<html>')
    expect(await codeOf(tags())).toBe('Malformed')
  })

  it('cannot put words into a message', async () => {
    answer = (_request, response) =>
      void response.writeHead(404).end(JSON.stringify({ errors: [{ code: 'X', message: `\u001B[2Jhello\n${'x'.repeat(5000)}` }] }))
    const error: unknown = await tags().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(PackageError)
    expect((error as Error).message).not.toMatch(/[\u001B\n]/)
    expect((error as Error).message.length).toBeLessThan(500)
  })

  it('that announces less than it sends, or sends without end, is cut off', async () => {
    const body = Buffer.alloc(1024, 'x')
    answer = (_request, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (response.write(body)) if (response.destroyed) return
        response.once('drain', more)
      }
      more()
    }
    const endless = new Repository(
      { registry: host, repository: 'a/b' },
      { actions: 'pull', signal: new AbortController().signal, limits: { manifestBytes: 100_000, blobBytes: 100_000 } },
    )
    expect(await codeOf(endless.blob({ digest: digestOf(body), size: 1024 }))).toBe('TooLarge')
  })

  it.each([
    ['no account', 'sign in with docker login ', undefined],
    ['an account', 'the credentials it was given are wrong', { username: 'user', password: 'wrong' }],
  ])('that refuses %s says what to do', async (_whom, advice, account) => {
    answer = ({ url = '' }, response) =>
      url.startsWith('/token')
        ? void response.writeHead(200).end('{"token":"x"}')
        : void response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${host}/token"` }).end()
    const asked = new Repository(
      { registry: host, repository: 'a/b' },
      { actions: 'pull', signal: new AbortController().signal, credentials: () => Promise.resolve(account) },
    )
    await expect(asked.manifest('v1')).rejects.toThrow(advice)
  })

  it('gets no password for a token service without TLS elsewhere', async () => {
    answer = (_request, response) =>
      void response.writeHead(401, { 'www-authenticate': 'Bearer realm="http://auth.example.org/token"' }).end()
    expect(await codeOf(repository().manifest('v1'))).toBe('Unauthorized')
  })

  it.each(['Bearer', 'Bearer realm="nonsense"', 'Bearer realm="file:///etc/passwd"'])(
    'that wants tokens from nowhere (%s) is refused',
    async (header) => {
      answer = (_request, response) => void response.writeHead(401, { 'www-authenticate': header }).end()
      expect(await codeOf(repository().manifest('v1'))).toBe('Unavailable')
    },
  )

  it.each(['{}', '{"token":""}', '{"token":"a\\r\\nX-Evil: 1"}', '{"token":5}', 'hunter2'])(
    'whose token service answers %s is refused',
    async (body) => {
      answer = ({ url = '' }, response) =>
        void (url.startsWith('/token')
          ? response.writeHead(200).end(body)
          : response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${host}/token"` }).end())
      const error: unknown = await repository()
        .manifest('v1')
        .catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'Unavailable' })
      expect((error as Error).message).not.toContain('hunter2')
    },
  )
})
