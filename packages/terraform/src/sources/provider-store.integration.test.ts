import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PackageError } from '@weft/xpkg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseProviderSource } from './address.ts'
import { filesystemMirror } from './filesystem-mirror.ts'
import { networkMirror } from './network-mirror.ts'
import { formatPlatform, thisPlatform } from './platform.ts'
import { providerStore, type ProviderStore, type StoredProvider } from './provider-store.ts'
import { registryCatalogue } from './registry.ts'
import { openTestRegistry, type TestRegistry } from './registry.fixture.ts'
import { zipOf } from './zip.fixture.ts'

const PROGRAM = { 'terraform-provider-dns_v1.0.0_x5': '#!/bin/sh\necho dns\n', 'LICENSE.txt': 'free' }
const platform = formatPlatform(thisPlatform())
const signal = new AbortController().signal

describe('providers', () => {
  let registry: TestRegistry
  let home: string
  let store: ProviderStore
  beforeAll(async () => {
    registry = await openTestRegistry()
  })
  afterAll(() => registry.close())
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'weft-tf-'))
    store = storeWith(registryCatalogue())
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) await registry.offer('team/dns', version, PROGRAM)
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  const storeWith = (catalogue: ReturnType<typeof registryCatalogue>): ProviderStore =>
    providerStore({ directory: join(home, 'store'), catalogue, paths: { within: [join(home, 'allowed')] } })
  const source = (rest: string): string => `${registry.host}/team/${rest}`
  const fetch = (text: string): Promise<StoredProvider> => store.fetch(parseProviderSource(text), { signal })
  const codeOf = (text: string): Promise<string> =>
    fetch(text).then(
      () => 'accepted',
      (error: unknown) => (error instanceof PackageError ? error.code : String(error)),
    )
  const download = (version: string): string => `/v1/providers/team/dns/${version}/download/${thisPlatform().os}/${thisPlatform().arch}`
  const change = (path: string, edit: (document: Record<string, unknown>) => void): void => {
    const document = JSON.parse(String(registry.files.get(path))) as Record<string, unknown>
    edit(document)
    registry.files.set(path, JSON.stringify(document))
  }

  it('come from a registry, checked and ready to run (T111–T114, T119)', async () => {
    const found = await fetch(source('dns@1'))
    expect(found).toMatchObject({ version: '1.1.0', address: { namespace: 'team', type: 'dns' } })
    expect(found.trust).toMatch(/^signed by [0-9A-F]{16}$/)
    expect(execFileSync(found.program, { encoding: 'utf8' })).toBe('dns\n')
    expect(await store.load(found.hash)).toEqual(found)
    expect((await readdir(join(home, 'store'))).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('have the hash that a lock file of Terraform states for them (T118)', async () => {
    const folder = join(home, 'allowed/terraform-provider-dns')
    await mkdir(folder, { recursive: true })
    for (const [name, text] of Object.entries(PROGRAM)) await writeFile(join(folder, name), text)
    // By sha256sum and openssl, from the same files.
    const expected = 'hGx2cZoN1ZnmniGah2pYJq8OE3A6eRd0oVdfz9POilM='
    expect((await fetch(source('dns'))).hash).toBe(`h1:${expected}`)
    expect((await fetch(folder)).hash).toBe(`h1:${expected}`)
  })

  const wrong: readonly [string, string, () => void][] = [
    [
      'whose file was changed',
      'DigestMismatch',
      () => registry.files.set(`/files/terraform-provider-dns_2.0.0_${platform}.zip`, zipOf({ a: 'b' })),
    ],
    [
      'whose list of checksums was changed',
      'SignatureInvalid',
      () => {
        const path = `/files/terraform-provider-dns_2.0.0_${platform}.zip.sums`
        registry.files.set(path, `${String(registry.files.get(path))} `)
      },
    ],
    [
      'of another checksum than was signed',
      'DigestMismatch',
      () => change(download('2.0.0'), (document) => (document['shasum'] = '0'.repeat(64))),
    ],
    [
      'of a file that was not signed',
      'DigestMismatch',
      () => change(download('2.0.0'), (document) => (document['filename'] = 'another.zip')),
    ],
    [
      'whose signature is another version’s',
      'SignatureInvalid',
      () => {
        const of = (version: string): string => `/files/terraform-provider-dns_${version}_${platform}.zip.sums.sig`
        registry.files.set(of('2.0.0'), registry.files.get(of('1.0.0')) ?? '')
      },
    ],
    ['that nobody signed', 'SignatureInvalid', () => change(download('2.0.0'), (document) => delete document['signing_keys'])],
    [
      'without a signature',
      'SignatureInvalid',
      () => registry.files.delete(`/files/terraform-provider-dns_2.0.0_${platform}.zip.sums.sig`),
    ],
    ['for another machine', 'Malformed', () => change(download('2.0.0'), (document) => (document['arch'] = 'z80'))],
    [
      'from a place that is not safe',
      'NotAllowed',
      () => change(download('2.0.0'), (document) => (document['download_url'] = 'http://example.org/x.zip')),
    ],
  ]
  it.each(wrong)('are refused %s (T114)', async (_reason, code, tamper) => {
    tamper()
    expect(await codeOf(source('dns@2.0.0'))).toBe(code)
    expect(await readdir(join(home, 'store')).catch(() => [])).toEqual([])
  })

  it('that are not there are said to be missing', async () => {
    expect(await codeOf(source('nothing'))).toBe('NotFound')
    expect(await codeOf(source('dns@9'))).toBe('NotFound')
    expect(await codeOf('127.0.0.1:1/team/dns').then((code) => code)).toBe('Unavailable')
  }, 20_000)

  it('keep the files of a version for ever (T118)', async () => {
    await fetch(source('dns@1.0.0'))
    await registry.offer('team/dns', '1.0.0', { 'terraform-provider-dns': 'something else' })
    expect(await codeOf(source('dns@1.0.0'))).toBe('DigestMismatch')
  })

  it('that were damaged on disk are brought back', async () => {
    const { program } = await fetch(source('dns@1.0.0'))
    await rm(program)
    const { program: again } = await fetch(source('dns@1.0.0'))
    expect(execFileSync(again, { encoding: 'utf8' })).toBe('dns\n')
  })

  it('are not fetched where nothing may be asked', async () => {
    const before = registry.asked.length
    await expect(store.fetch(parseProviderSource(source('dns')), { signal, offline: true })).rejects.toMatchObject({ code: 'NotFound' })
    expect(registry.asked).toHaveLength(before)
  })

  it.each<[string, Record<string, string>]>([
    ['leads out of its folder', { '../terraform-provider-dns': 'x' }],
    ['is absolute', { '/tmp/terraform-provider-dns': 'x' }],
    ['is a link', { 'terraform-provider-dns': '-> /bin/sh' }],
    ['is not the program', { README: 'x' }],
  ])('are refused when a file of the archive %s (T119)', async (_reason, files) => {
    await registry.offer('team/dns', '3.0.0', files)
    expect(await codeOf(source('dns@3.0.0'))).toBe('Malformed')
  })

  it('come from a folder of an air-gapped machine, packed or not (T117)', async () => {
    const folder = join(home, 'mirror/registry.opentofu.org/team/dns')
    await mkdir(join(folder, '2.0.0', platform), { recursive: true })
    await writeFile(join(folder, '2.0.0', platform, 'terraform-provider-dns'), '#!/bin/sh\necho unpacked\n')
    await writeFile(join(folder, `terraform-provider-dns_1.0.0_${platform}.zip`), zipOf(PROGRAM))
    store = storeWith(filesystemMirror(join(home, 'mirror')))
    expect(execFileSync((await fetch('team/dns@1')).program, { encoding: 'utf8' })).toBe('dns\n')
    expect(execFileSync((await fetch('team/dns')).program, { encoding: 'utf8' })).toBe('unpacked\n')
    expect(await codeOf('team/other')).toBe('NotFound')
    // A mirror that Terraform wrote has the address of its own registry.
    await mkdir(join(home, 'mirror/registry.terraform.io/team/web/1.0.0', platform), { recursive: true })
    await writeFile(join(home, 'mirror/registry.terraform.io/team/web/1.0.0', platform, 'terraform-provider-web'), '#!/bin/sh\necho web\n')
    await expect(fetch('team/web')).rejects.toThrow('but registry.terraform.io/team/web')
    expect(execFileSync((await fetch('registry.terraform.io/team/web')).program, { encoding: 'utf8' })).toBe('web\n')
  })

  it('come from a mirror that is static files (T116)', async () => {
    const zip = zipOf(PROGRAM)
    const base = '/mirror/registry.opentofu.org/team/dns'
    registry.files.set(`${base}/index.json`, '{"versions":{"1.0.0":{}}}')
    const document = (hashes: string[]): string => JSON.stringify({ archives: { [platform]: { url: 'dns.zip', hashes } } })
    registry.files.set(`${base}/1.0.0.json`, document(['h1:AAAA'])).set(`${base}/dns.zip`, zip)
    store = storeWith(networkMirror(new URL(`http://${registry.host}/mirror`)))
    expect(await codeOf('team/dns')).toBe('DigestMismatch')
    registry.files.set(`${base}/1.0.0.json`, document([]))
    const { hash } = await fetch('team/dns')
    registry.files.set(`${base}/1.0.0.json`, document(['h1:AAAA', hash]))
    expect(await codeOf('team/dns')).toBe('accepted')
  })

  it('of this machine are read only from where that is allowed', async () => {
    await mkdir(join(home, 'allowed'))
    const program = join(home, 'allowed/terraform-provider-dns')
    await writeFile(join(home, 'terraform-provider-dns'), 'private')
    await writeFile(program, '#!/bin/sh\necho local\n')
    await symlink(join(home, 'terraform-provider-dns'), join(home, 'allowed/terraform-provider-link'))
    const found = await fetch(program)
    expect(execFileSync(found.program, { encoding: 'utf8' })).toBe('local\n')
    expect(found.address.host).toBe('terraform.local')
    expect(await readFile(program, 'utf8')).toContain('local')
    expect((await fetch(`hashicorp/dns@3.1.0?from=${program}`)).version).toBe('3.1.0')
    expect(await codeOf(join(home, 'terraform-provider-dns'))).toBe('NotAllowed')
    expect(await codeOf(join(home, 'allowed/terraform-provider-link'))).toBe('NotAllowed')
    expect(await codeOf(join(home, 'allowed/terraform-provider-none'))).toBe('NotFound')
  })
})
