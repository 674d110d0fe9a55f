import { PassThrough } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { ClientGone } from './client-gone.ts'
import { readAll, toRequest } from './messages.ts'

const socket = { remoteAddress: '127.0.0.1', authorized: false, getPeerX509Certificate: () => undefined } as unknown as TLSSocket

function requestWith(rawHeaders: readonly string[], url = '/'): ReturnType<typeof toRequest> {
  const headers: Record<string, string> = {}
  // As node does: a repeated header becomes one joined text.
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase()
    headers[name] = headers[name] === undefined ? (rawHeaders[i + 1] as string) : `${headers[name]}, ${rawHeaders[i + 1]}`
  }
  return toRequest({ method: 'GET', url, headers, rawHeaders, body: { kind: 'none' }, socket, client: new ClientGone() })
}

describe('toRequest', () => {
  it('keeps repeated headers apart', () => {
    const request = requestWith(['Impersonate-User', 'ann', 'Impersonate-Group', 'a, with comma', 'Impersonate-Group', 'b'])
    expect(request.headersWithPrefix('impersonate-')).toEqual([
      ['impersonate-user', 'ann'],
      ['impersonate-group', 'a, with comma'],
      ['impersonate-group', 'b'],
    ])
    expect(request.headersWithPrefix('x-')).toEqual([])
  })

  it.each([
    { url: '/api/v1/namespaces/a%2Fb?watch=1', path: '/api/v1/namespaces/a/b', reason: 'an escaped path is decoded' },
    { url: '/api/%zz', path: '/api/%zz', reason: 'what cannot be decoded stays' },
    { url: '/api', path: '/api', reason: 'no query' },
  ])('$reason', ({ url, path }) => {
    expect(requestWith([], url).path).toBe(path)
  })
})

describe('readAll', () => {
  it('gives up on a body that does not come', async () => {
    const dribbling = new PassThrough()
    dribbling.write('{')
    await expect(readAll(dribbling, 100, 10)).rejects.toMatchObject({ code: 408 })
    expect(dribbling.listenerCount('data')).toBe(0)
  })

  it('joins what comes in pieces', async () => {
    const source = new PassThrough()
    const all = readAll(source, 100)
    source.write('one ')
    source.write('two')
    source.end()
    expect((await all).toString()).toBe('one two')
  })

  it('answers nothing for an empty body', async () => {
    const source = new PassThrough()
    source.end()
    expect(await readAll(source, 100)).toHaveLength(0)
  })

  it('refuses what is too large and leaves the connection usable for the answer', async () => {
    const source = new PassThrough()
    const all = readAll(source, 3)
    source.write('four')
    await expect(all).rejects.toMatchObject({ code: 413 })
    expect(source.destroyed).toBe(false)
  })

  it('fails when the client goes away in between', async () => {
    const source = new PassThrough()
    const all = readAll(source, 100)
    source.write('half')
    source.destroy()
    await expect(all).rejects.toThrow()
  })
})

describe('ClientGone', () => {
  it('tells those who ask before and those who ask after', () => {
    const client = new ClientGone()
    const { signal } = client
    expect(signal.aborted).toBe(false)
    client.abort()
    expect(signal.aborted).toBe(true)
    const late = new ClientGone()
    late.abort()
    expect(late.signal.aborted).toBe(true)
  })
})
