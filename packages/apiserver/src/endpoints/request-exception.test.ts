import { describe, expect, it } from 'vitest'
import { createApiServer } from '../api-server.ts'
import { createMemoryPki } from '../pki/index.ts'
import { openMemoryStorage } from '../storage/index.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import type { RequestException } from './request-exception.ts'

const get = (path: string): ApiRequest => ({
  method: 'GET',
  path,
  query: new URLSearchParams({ token: 'hidden' }),
  header: () => undefined,
  headersWithPrefix: () => [],
  body: { kind: 'none' },
  credentials: { kind: 'internal', user: { username: 'amy', groups: ['system:masters'] } },
  remoteAddress: '',
  signal: new AbortController().signal,
})

describe('faults of the server', () => {
  it('are logged with their stack and the id that the client got, and counted', async () => {
    const storage = openMemoryStorage()
    const told: RequestException[] = []
    const lines: string[] = []
    let broken = true
    const server = await createApiServer({
      storage,
      pki: createMemoryPki(),
      address: () => 'https://127.0.0.1:1',
      metrics: {
        render() {
          if (broken) throw new TypeError('boom')
          return ''
        },
      },
      onException: (exception) => told.push(exception),
      onError: (what, error) => lines.push(`${what}: ${String(error)}`),
    })
    const failed: ApiResponse = await server.handle(get('/metrics'))
    expect(failed.status).toBe(500)
    const id = failed.headers?.['audit-id'] ?? ''
    expect(told).toMatchObject([{ requestId: id, method: 'GET', path: '/metrics', user: { username: 'amy' } }])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(id)
    expect(lines[0], 'the stack').toContain('request-exception.test.ts')
    expect(lines[0], 'no part of the query').not.toContain('hidden')

    expect((await server.handle(get('/apis/nothing/v1/here'))).status, 'a refusal is no fault').toBe(404)
    broken = false
    const { body } = await server.handle(get('/metrics'))
    expect(body.kind === 'bytes' ? String(body.bytes) : '').toContain('apiserver_request_exceptions_total 1')
    await server.close()
    await storage.close()
  })
})
