import { StatusError } from '@weft/api'
import { describe, expect, it, vi } from 'vitest'
import { CSRF_HEADER, SESSION_EXPIRED } from '../../contract.ts'
import { createApi } from '../api/api.ts'
import { codeOf, SIGN_IN_PATH, takeOneTimeCode } from './one-time-code.ts'

const answer = (status: number, body: unknown): Response =>
  new Response(body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body), { status })

function apiWith(respond: () => Response | Promise<Response>) {
  const calls: { path: string; init: RequestInit }[] = []
  const onExpired = vi.fn<() => void>()
  const api = createApi({
    csrfToken: 'csrf',
    onExpired,
    fetch: async (path, init) => {
      calls.push({ path: path as string, init: init ?? {} })
      return respond()
    },
  })
  return { api, calls, onExpired }
}

describe('api', () => {
  it('sends the CSRF token with what changes things, and never with reads', async () => {
    const { api, calls } = apiWith(() => answer(200, {}))
    await api.get('/k8s/api')
    await api.send('DELETE', '/k8s/api/v1/namespaces/x')
    const [read, write] = calls.map(({ init }) => new Headers(init.headers).get(CSRF_HEADER))
    expect([read, write]).toEqual([null, 'csrf'])
    expect(calls.every(({ init }) => init.credentials === 'same-origin')).toBe(true)
  })

  it('answers nothing for 204', async () => {
    expect(await apiWith(() => answer(204, undefined)).api.send('POST', '/x', {})).toBeUndefined()
  })

  it('throws the Status that the server sent', async () => {
    const { api } = apiWith(() => answer(403, { kind: 'Status', code: 403, reason: 'Forbidden', message: 'you may not' }))
    const error = await api.get('/x').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StatusError)
    expect(error).toMatchObject({ code: 403, reason: 'Forbidden', message: 'you may not' })
  })

  it.each([
    { body: '<html>', status: 502 },
    { body: undefined, status: 500 },
    { body: [], status: 404 },
  ])('makes an error of an answer that is no Status ($status)', async ({ body, status }) => {
    const error = await apiWith(() => answer(status, body))
      .api.get('/x')
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: status })
  })

  it('says when the session is over, once it is, and not for other refusals', async () => {
    const expired = apiWith(() => answer(401, { kind: 'Status', code: 401, reason: SESSION_EXPIRED, message: 'sign in' }))
    await expired.api.get('/x').catch(() => undefined)
    expect(expired.onExpired).toHaveBeenCalledOnce()
    const refused = apiWith(() => answer(401, { kind: 'Status', code: 401, reason: 'Unauthorized', message: 'no' }))
    await refused.api.get('/x').catch(() => undefined)
    expect(refused.onExpired).not.toHaveBeenCalled()
  })

  it('tells a server that cannot be reached from a request that was taken back', async () => {
    const { api } = apiWith(() => Promise.reject(new TypeError('fetch failed')))
    await expect(api.get('/x')).rejects.toMatchObject({ code: 503 })
    const signal = AbortSignal.abort(new Error('taken back'))
    await expect(api.get('/x', { signal })).rejects.toBeInstanceOf(TypeError)
  })
})

describe('one-time code', () => {
  const windowAt = (pathname: string, hash: string) => {
    const replaceState = vi.fn<(data: unknown, unused: string, url?: string | URL | null) => void>()
    return { window: { location: { pathname, hash }, history: { replaceState } } as unknown as Window, replaceState }
  }

  it('is taken from the fragment and removed from the address', () => {
    const { window, replaceState } = windowAt(SIGN_IN_PATH, '#code=abc_-1')
    expect(takeOneTimeCode(window)).toBe('abc_-1')
    expect(replaceState).toHaveBeenCalledWith(null, '', '/')
  })

  it('is looked for nowhere else', () => {
    const { window, replaceState } = windowAt('/objects/a/b/c/d', '#code=abc')
    expect(takeOneTimeCode(window)).toBeUndefined()
    expect(replaceState).not.toHaveBeenCalled()
  })

  it.each(['', '#', '#code=', '#other=1'])('is absent in "%s"', (hash) => {
    expect(codeOf(hash)).toBeUndefined()
  })
})
