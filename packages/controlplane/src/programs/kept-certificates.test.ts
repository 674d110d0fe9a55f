import { X509Certificate } from 'node:crypto'
import type { Client, Secret } from '@weft/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepCertificates } from './kept-certificates.ts'
import type { Release } from './program-slots.ts'
import { ensureServerTls } from './tls-secrets.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

/** As much of a server as keeps Secrets. */
function secrets(): { readonly client: Client; readonly kept: Map<string, Secret> } {
  const kept = new Map<string, Secret>()
  const write = (secret: Secret): Promise<Secret> => {
    kept.set(secret.metadata.name ?? '', secret)
    return Promise.resolve(secret)
  }
  const client = { find: (_: unknown, { name }: { name: string }) => Promise.resolve(kept.get(name)), create: write, update: write }
  return { client: client as unknown as Client, kept }
}

describe('K171, K191 certificates of a program', () => {
  const written = new Map<string, string>()
  const give = {
    folder: () =>
      Promise.resolve({
        path: '/tls/server',
        write: (name: string, contents: string | Uint8Array) => Promise.resolve(void written.set(name, contents.toString())),
      }),
  }
  const shown = (): X509Certificate => new X509Certificate(written.get('tls.crt') ?? '')
  const releases: Release[] = []
  /** After so many days; looking at every hour of them takes the test long. */
  const later = async (days: number): Promise<void> => {
    vi.setSystemTime(Date.now() + days * DAY)
    await vi.advanceTimersByTimeAsync(HOUR)
  }
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date', 'setInterval', 'clearInterval'] }))
  afterEach(async () => {
    for (const release of releases.splice(0)) await release()
    vi.useRealTimers()
    written.clear()
  })

  it('are others before they end, for the key that it has, and by the authority that callers know', async () => {
    const { client } = secrets()
    const onRenewed = vi.fn<() => void>()
    const ensure = (): ReturnType<typeof ensureServerTls> => ensureServerTls(client, 'provider-parts')
    const kept = { folder: '/tls/server', ensure, onRenewed, onError: (error: unknown) => expect.unreachable(String(error)) }
    const { path, tls } = await keepCertificates(give, kept, releases)
    expect(path).toBe('/tls/server')
    expect(Object.fromEntries(written)).toEqual(tls)
    const first = shown()
    await later(200)
    expect(shown().fingerprint256).toBe(first.fingerprint256)
    expect(onRenewed).not.toHaveBeenCalled()
    await later(100)
    expect(onRenewed).toHaveBeenCalledOnce()
    expect(shown().fingerprint256).not.toBe(first.fingerprint256)
    expect(Date.parse(shown().validTo)).toBeGreaterThan(Date.now() + 250 * DAY)
    expect(shown().verify(new X509Certificate(tls['ca.crt']).publicKey)).toBe(true)
    expect(written.get('tls.key')).toBe(tls['tls.key'])
    expect(written.get('ca.crt')).toBe(tls['ca.crt'])
  })

  it('what somebody else renewed comes to the program, too, and nothing does once it has ended', async () => {
    const { client, kept } = secrets()
    const ensure = (): ReturnType<typeof ensureServerTls> => ensureServerTls(client, 'provider-parts')
    await keepCertificates(
      give,
      { folder: '/tls/server', ensure, onError: (error: unknown) => expect.unreachable(String(error)) },
      releases,
    )
    const first = shown()
    kept.delete('provider-parts-tls-server')
    const { 'tls.crt': other } = await ensure()
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(written.get('tls.crt')).toBe(other)
    expect(shown().fingerprint256).not.toBe(first.fingerprint256)
    await releases[0]?.()
    kept.delete('provider-parts-tls-server')
    await ensure()
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(written.get('tls.crt')).toBe(other)
  })
})
