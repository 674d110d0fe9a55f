import { describe, expect, it } from 'vitest'
import { SimCloudClient } from './client.ts'
import { CredentialsError, parseCredentials } from './credentials.ts'
import {
  ConflictError,
  InvalidError,
  NotFoundError,
  QuotaExceededError,
  SimCloudError,
  ThrottledError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts'

type Fetch = typeof fetch
const clientWith = (fetch: Fetch, timeoutMs = 1_000): SimCloudClient =>
  new SimCloudClient({ endpoint: 'http://sim', cloud: 'gcp', account: 'a', token: 'secret-token', timeoutMs, fetch })
const answering = (status: number, body: unknown, headers: Record<string, string> = {}): SimCloudClient =>
  clientWith(() => Promise.resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })))
const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
const refusing = (status: number, code: string): SimCloudClient =>
  answering(status, { error: { code, message: 'why' } }, { 'retry-after': '7' })

describe('errors of the client', () => {
  it.each([
    [404, 'NotFound', NotFoundError],
    [409, 'AlreadyExists', ConflictError],
    [409, 'InUse', ConflictError],
    [409, 'NotReady', ConflictError],
    [412, 'PreconditionFailed', ConflictError],
    [401, 'Unauthenticated', UnauthorizedError],
    [403, 'Forbidden', UnauthorizedError],
    [403, 'QuotaExceeded', QuotaExceededError],
    [429, 'Throttled', ThrottledError],
    [400, 'Invalid', InvalidError],
    [400, 'Immutable', InvalidError],
    [413, 'TooLarge', InvalidError],
    [503, 'Unavailable', UnavailableError],
    [500, 'Internal', UnavailableError],
  ])('%d %s', async (status, code, type) => {
    const error = await failureOf(refusing(status, code).get('networks', 'n'))
    expect(error).toBeInstanceOf(type)
    expect(error).toMatchObject({ code, status, name: type.name, message: 'why' })
  })

  it('say when to come back', async () => {
    expect(await failureOf(refusing(429, 'Throttled').get('networks', 'n'))).toMatchObject({ retryAfterSeconds: 7 })
  })

  it('say whether a write may have taken effect', async () => {
    expect(await failureOf(refusing(503, 'Unavailable').delete('networks', 'n'))).toMatchObject({ mayHaveTakenEffect: false })
    expect(await failureOf(refusing(500, 'Internal').delete('networks', 'n'))).toMatchObject({ mayHaveTakenEffect: true })
    const broken = clientWith(() => Promise.reject(new TypeError('fetch failed', { cause: new Error('other side closed') })))
    expect(await failureOf(broken.create('networks', 'n', {}))).toMatchObject({ code: 'NoAnswer', mayHaveTakenEffect: true })
    expect(await failureOf(broken.get('networks', 'n'))).toMatchObject({ mayHaveTakenEffect: false })
    const down = clientWith(() =>
      Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })),
    )
    expect(await failureOf(down.create('networks', 'n', {}))).toMatchObject({ mayHaveTakenEffect: false })
  })

  it('do not take somebody else for the cloud', async () => {
    expect(await failureOf(answering(404, '<html>').get('networks', 'n'))).toBeInstanceOf(UnavailableError)
    expect(await failureOf(answering(404, { error: { code: 'constructor' } }).get('networks', 'n'))).toBeInstanceOf(UnavailableError)
    expect(await failureOf(answering(200, '<html>').get('networks', 'n'))).toBeInstanceOf(UnavailableError)
  })

  it('never show the token', async () => {
    const error = (await failureOf(refusing(401, 'Unauthenticated').get('networks', 'n'))) as SimCloudError
    expect(JSON.stringify([error.message, error.stack, { ...error }])).not.toContain('secret-token')
  })
})

describe('a call', () => {
  const never: Fetch = (_, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error), { once: true }))

  it('is given up after its time', async () => {
    expect(await failureOf(clientWith(never, 5).create('networks', 'n', {}))).toMatchObject({ code: 'NoAnswer', mayHaveTakenEffect: true })
  })

  it('ends with the reason of its signal', async () => {
    const abort = new AbortController()
    const reason = new Error('enough')
    const call = failureOf(clientWith(never).get('networks', 'n', { signal: abort.signal }))
    abort.abort(reason)
    expect(await call).toBe(reason)
    expect(await failureOf(clientWith(never).get('networks', 'n', { signal: abort.signal }))).toBe(reason)
  })

  it('encodes what it puts into the path', async () => {
    let asked = ''
    const client = clientWith((url) => {
      asked = (url as URL).href
      return Promise.resolve(new Response('{}'))
    })
    await client.get('networks', '../a b/c')
    expect(asked).toBe('http://sim/v1/gcp/a/networks/..%2Fa%20b%2Fc')
  })

  it('lists page after page', async () => {
    const pages = [{ items: [{ name: 'a' }], nextPageToken: 'a' }, { items: [{ name: 'b' }] }]
    const asked: string[] = []
    const client = clientWith((url) => {
      asked.push((url as URL).search)
      return Promise.resolve(new Response(JSON.stringify(pages.shift())))
    })
    const names: string[] = []
    for await (const { name } of client.list('networks', { limit: 1 })) names.push(name)
    expect(names).toEqual(['a', 'b'])
    expect(asked).toEqual(['?limit=1', '?limit=1&pageToken=a'])
  })
})

describe('credentials', () => {
  it('are JSON with endpoint and token', () => {
    expect(parseCredentials('{"endpoint":"http://127.0.0.1:1","token":"t","account":"p"}')).toEqual({
      endpoint: 'http://127.0.0.1:1',
      token: 't',
      account: 'p',
    })
  })

  it.each([
    '',
    'tok3n',
    '[]',
    '{"token":"tok3n"}',
    '{"endpoint":"ftp://x","token":"tok3n"}',
    '{"endpoint":"http://x","token":"tok3n "}',
    '{"endpoint":"http://x","token":"tok3n","account":1}',
  ])('are refused without being quoted: %s', (text) => {
    let caught: unknown
    try {
      parseCredentials(text)
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(CredentialsError)
    expect((caught as Error).message).not.toContain('tok3n')
  })
})
