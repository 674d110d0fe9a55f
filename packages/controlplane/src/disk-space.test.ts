import { createApiServer, createMemoryPki, openMemoryStorage } from '@weft/apiserver'
import { describe, expect, it } from 'vitest'
import { diskCheck } from './disk-space.ts'

describe('diskCheck', () => {
  it('a full disk is not ready, but alive', async () => {
    const storage = openMemoryStorage()
    const errors: string[] = []
    const disk = { bavail: 1_000_000, bsize: 4096 }
    const server = await createApiServer({
      storage,
      pki: createMemoryPki(),
      address: () => 'https://127.0.0.1:1',
      health: [diskCheck('/data', () => disk)],
      onError: (what, error) => errors.push(`${what}: ${String(error)}`),
    })
    const statusOf = async (path: string): Promise<number> => {
      const { status } = await server.handle({
        method: 'GET',
        path,
        query: new URLSearchParams(),
        header: () => undefined,
        headersWithPrefix: () => [],
        body: { kind: 'none' },
        credentials: { kind: 'network' },
        remoteAddress: '',
        signal: new AbortController().signal,
      })
      return status
    }
    expect(await statusOf('/readyz')).toBe(200)
    disk.bavail = 100
    expect(await statusOf('/readyz')).toBe(500)
    expect(await statusOf('/livez')).toBe(200)
    expect(errors.join()).toContain('MB are free for /data')
    await server.close()
    await storage.close()
  })
})
