import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestConsole, type TestConsole } from '../test-console.fixture.ts'
import { type ManualServer, startManual } from './start-manual.ts'

let folder: string
let world: TestConsole
let alone: ManualServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weft-manual-'))
  await mkdir(join(folder, 'manual', 'guides'), { recursive: true })
  await writeFile(join(folder, 'manual', 'index.html'), `contents ${'x'.repeat(4096)}`)
  await writeFile(join(folder, 'manual', 'guides', 'terraform.html'), 'terraform')
  await writeFile(join(folder, 'manual', 'manual.js'), 'script')
  await writeFile(join(folder, 'manual', '404.html'), 'no such page')
  await writeFile(join(folder, 'secret.html'), 'secret')
  world = await startTestConsole({ manualDirectory: join(folder, 'manual') })
  alone = await startManual(join(folder, 'manual'))
})
afterAll(async () => {
  await alone?.close()
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the manual', () => {
  it.each([
    { path: '/docs/', status: 200, text: /^contents/ },
    { path: '/docs/index.html?from=mail', status: 200, text: /^contents/ },
    { path: '/docs/guides/terraform.html', status: 200, text: /^terraform$/ },
    { path: '/docs/guides/terraform', status: 200, text: /^terraform$/ },
    { path: '/docs/manual.js', status: 200, text: /^script$/ },
    { path: '/docs/guides', status: 404, text: /^no such page$/ },
    { path: '/docs/nothing', status: 404, text: /^no such page$/ },
    { path: '/docs/../secret.html', status: 404, text: /^no such page$/ },
    { path: '/docs/..%2fsecret.html', status: 404, text: /^no such page$/ },
    { path: '/docs//etc/passwd', status: 404, text: /^no such page$/ },
  ])('answers $path with $status to somebody who is not signed in', async ({ path, status, text }) => {
    const reply = await world.call('GET', path)
    expect(reply.status).toBe(status)
    expect(reply.text).toMatch(text)
  })

  it('has no use for inline scripts and styles, other hosts and frames', async () => {
    const { headers } = await world.call('GET', '/docs/')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|nonce|https?:/)
    expect((await world.call('GET', '/docs/manual.js')).headers['content-security-policy']).toContain('sandbox')
  })

  it('is compressed for those who can read that', async () => {
    const { headers } = await world.call('GET', '/docs/', { headers: { 'accept-encoding': 'gzip' } })
    expect(headers['content-encoding']).toBe('gzip')
    expect(Number(headers['content-length'])).toBeLessThan(1000)
  })

  it('can only be read, under the names of the console', async () => {
    expect((await world.call('POST', '/docs/', { body: {} })).status).toBe(405)
    expect((await world.call('GET', '/docs/', { headers: { host: 'evil.example.org' } })).status).toBe(421)
    const moved = await world.call('GET', '/docs')
    expect([moved.status, moved.headers.location]).toEqual([308, '/docs/'])
  })

  it('is served by itself as well, and nothing else then', async () => {
    expect(await (await fetch(alone.address)).text()).toMatch(/^contents/)
    expect(await (await fetch(new URL('/', alone.address))).text()).toMatch(/^contents/)
    const other = await fetch(new URL('/console/session', alone.address))
    expect(other.status).toBe(404)
    expect(((await other.json()) as { message: string }).message).toContain(alone.address)
  })

  it('is told to be missing where it was not built', async () => {
    const bare = await startManual(join(folder, 'nothing'))
    const answer = await fetch(bare.address)
    expect(answer.status).toBe(404)
    expect(((await answer.json()) as { message: string }).message).toContain('npm run build')
    await bare.close()
  })
})
