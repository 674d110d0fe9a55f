import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { issueClientCertificate } from './authority.ts'
import { parseCertificate } from './certificate.ts'
import { formatKubeconfig, writeKubeconfig } from './kubeconfig.ts'
import { createMemoryPki, ensurePki } from './pki.ts'
import { PkiError } from './pki-error.ts'

const DAY = 86_400_000
const START = Date.parse('2030-01-01T00:00:00Z')
const at = (days: number): { now(): number } => ({ now: () => START + days * DAY })

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weft-pki-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const read = (file: string): Promise<string> => readFile(join(directory, file), 'utf8')

describe('ensurePki', () => {
  test('the first start makes everything, with private keys readable by the owner alone', async () => {
    const pki = await ensurePki(directory, { clock: at(0) })
    const names = (await readdir(directory)).sort()
    expect(names).toEqual(['admin.crt', 'admin.key', 'ca.crt', 'ca.key', 'service-account.key', 'serving.crt', 'serving.key'])
    for (const name of names.filter((n) => n.endsWith('.key'))) expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600)
    expect(pki.ca.certificate.ca).toBe(true)
    const admin = parseCertificate(new X509Certificate(pki.admin.certificate).raw)
    expect(admin).toMatchObject({ commonName: 'kubernetes-admin', organizations: ['system:masters'] })
    const serving = new X509Certificate(pki.serving.certificate)
    for (const host of ['localhost', 'kubernetes.default.svc']) expect(serving.checkHost(host)).toBe(host)
    for (const ip of ['127.0.0.1', '::1']) expect(serving.checkIP(ip)).toBeDefined()
  })

  test('the next start reuses every file', async () => {
    const first = await ensurePki(directory, { clock: at(0), hosts: ['a.example', '10.1.2.3'] })
    const second = await ensurePki(directory, { clock: at(1), hosts: ['10.1.2.3', 'a.example'] })
    expect(second.notes).toEqual([])
    expect(second.serving).toEqual(first.serving)
    expect(second.ca.certificatePem).toBe(first.ca.certificatePem)
    expect(second.serviceAccountKey.equals(first.serviceAccountKey)).toBe(true)
  })

  const renewals = [
    { reason: 'a fresh certificate stays', days: 200, hosts: [] as string[], renewed: false },
    { reason: 'less than a third of its life left', days: 250, hosts: [], renewed: true },
    { reason: 'expired while the server was down', days: 800, hosts: [], renewed: true },
    { reason: 'the hosts changed', days: 1, hosts: ['other.example'], renewed: true },
  ]
  test.each(renewals)('leaf certificates: $reason', async ({ days, hosts, renewed }) => {
    const first = await ensurePki(directory, { clock: at(0) })
    const later = await ensurePki(directory, { clock: at(days), hosts })
    expect(later.serving.certificate !== first.serving.certificate).toBe(renewed)
    expect(later.serving.key).toBe(first.serving.key)
    expect(later.ca.certificatePem).toBe(first.ca.certificatePem)
    expect(await read('serving.crt')).toBe(later.serving.certificate)
    expect((await ensurePki(directory, { clock: at(days), hosts })).notes).toEqual([])
  })

  const damages = [
    { reason: 'a damaged CA certificate', file: 'ca.crt', content: 'garbage', code: 'damaged' },
    { reason: 'an empty CA key', file: 'ca.key', content: '', code: 'damaged' },
    { reason: 'a missing CA key', file: 'ca.key', content: undefined, code: 'missing' },
    { reason: 'a damaged service-account key', file: 'service-account.key', content: 'x', code: 'damaged' },
    {
      reason: 'a damaged serving certificate',
      file: 'serving.crt',
      content: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      code: 'damaged',
    },
    { reason: 'a damaged leaf key', file: 'admin.key', content: 'x', code: 'damaged' },
  ]
  test.each(damages)('$reason is an error that names the file, and nothing is replaced', async ({ file, content, code }) => {
    await ensurePki(directory, { clock: at(0) })
    const path = join(directory, file)
    await (content === undefined ? unlink(path) : writeFile(path, content))
    const before = await Promise.all((await readdir(directory)).map((name) => read(name)))
    await expect(ensurePki(directory, { clock: at(0) })).rejects.toMatchObject({ name: 'PkiError', code, file: path })
    expect(await Promise.all((await readdir(directory)).map((name) => read(name)))).toEqual(before)
  })

  test('a CA certificate of another key is damaged', async () => {
    await ensurePki(directory, { clock: at(0) })
    await writeFile(join(directory, 'ca.crt'), createMemoryPki({ clock: at(0) }).ca.certificatePem)
    await expect(ensurePki(directory, { clock: at(0) })).rejects.toMatchObject({ code: 'damaged', file: join(directory, 'ca.crt') })
  })

  test('an expired CA is an error; deleting ca.crt renews it with the same key', async () => {
    const first = await ensurePki(directory, { clock: at(0) })
    await expect(ensurePki(directory, { clock: at(4000) })).rejects.toMatchObject({ code: 'expired' })
    await unlink(join(directory, 'ca.crt'))
    const renewed = await ensurePki(directory, { clock: at(4000) })
    expect(renewed.ca.key.equals(first.ca.key)).toBe(true)
    expect(renewed.ca.certificate.subject).toBe(first.ca.certificate.subject)
  })

  test('a clock before the CA was made is an error', async () => {
    await ensurePki(directory, { clock: at(0) })
    await expect(ensurePki(directory, { clock: at(-10) })).rejects.toMatchObject({ code: 'not-yet-valid' })
  })

  test('a crash between the keys and the certificates heals', async () => {
    const first = await ensurePki(directory, { clock: at(0) })
    for (const name of ['ca.crt', 'serving.crt', 'admin.crt']) await unlink(join(directory, name))
    await writeFile(join(directory, 'ca.crt.0123456789ab.tmp'), 'half')
    const second = await ensurePki(directory, { clock: at(0) })
    expect(second.ca.key.equals(first.ca.key)).toBe(true)
    expect(await readdir(directory)).not.toContain('ca.crt.0123456789ab.tmp')
  })

  test('a key file that others can read is closed', async () => {
    await ensurePki(directory, { clock: at(0) })
    await chmod(join(directory, 'ca.key'), 0o644)
    await ensurePki(directory, { clock: at(0) })
    expect((await stat(join(directory, 'ca.key'))).mode & 0o777).toBe(0o600)
  })

  test("an operator's own RSA authority and signing key are used", async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    await writeFile(join(directory, 'ca.key'), pem)
    await writeFile(join(directory, 'service-account.key'), pem)
    const pki = await ensurePki(directory, { clock: at(0) })
    expect(new X509Certificate(pki.admin.certificate).verify(createPublicKey(privateKey))).toBe(true)
    expect(pki.serviceAccountKey.asymmetricKeyType).toBe('rsa')
  })

  test('a folder that cannot be used is an io error', async () => {
    await writeFile(join(directory, 'file'), '')
    await expect(ensurePki(join(directory, 'file'))).rejects.toMatchObject({ code: 'io' })
  })

  test('a host that is neither address nor name is refused', async () => {
    await expect(ensurePki(directory, { hosts: ['a b'] })).rejects.toBeInstanceOf(PkiError)
  })
})

test('a TLS server with this PKI verifies its clients, and they it', async () => {
  const pki = createMemoryPki()
  const user = issueClientCertificate(pki.ca, { user: 'jane', groups: ['dev', 'Zoë, Ltd'] })
  const stranger = issueClientCertificate(createMemoryPki().ca, { user: 'mallory' })
  const seen: { authorized: boolean; raw: Buffer | undefined }[] = []
  const server = createServer(
    { cert: pki.serving.certificate, key: pki.serving.key, ca: pki.ca.certificatePem, requestCert: true, rejectUnauthorized: false },
    (socket: TLSSocket) => {
      seen.push({ authorized: socket.authorized, raw: socket.getPeerX509Certificate()?.raw })
      socket.end('x')
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  for (const pair of [user, stranger]) {
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', ca: pki.ca.certificatePem, cert: pair.certificate, key: pair.key })
      socket.on('end', resolve).on('error', reject).resume()
    })
  }
  await new Promise((resolve) => server.close(resolve))
  expect(seen.map((s) => s.authorized)).toEqual([true, false])
  expect(parseCertificate(seen[0]?.raw as Buffer)).toMatchObject({ commonName: 'jane', organizations: ['dev', 'Zoë, Ltd'] })
})

test('a client certificate ends no later than its authority', () => {
  const { ca } = createMemoryPki({ clock: at(0) })
  const { certificate } = issueClientCertificate(ca, { user: 'a', clock: at(3600), lifeMillis: 1000 * DAY })
  expect(new X509Certificate(certificate).validTo).toBe(ca.certificate.validTo)
})

describe('kubeconfig', () => {
  test('embeds server, authority and credentials, mode 0600', async () => {
    const pki = createMemoryPki()
    const path = join(directory, 'kubeconfig')
    await writeKubeconfig(path, { server: 'https://127.0.0.1:6443', ca: pki.ca.certificatePem, user: pki.admin })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const text = await readFile(path, 'utf8')
    expect(text).toContain('current-context: "weft"')
    expect(text).toContain(Buffer.from(pki.admin.key).toString('base64'))
  })
  test('a token user', () => {
    expect(formatKubeconfig({ server: 's', ca: 'c', user: { token: 'a"b' } })).toContain('token: "a\\"b"')
  })
})
