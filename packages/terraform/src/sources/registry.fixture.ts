import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as pgp from 'openpgp'
import { thisPlatform } from './platform.ts'
import { zipOf } from './zip.fixture.ts'

/** A registry on this machine that signs with a key of its own. What it serves can be changed between requests, by path. */
export interface TestRegistry {
  readonly host: string
  readonly files: Map<string, Uint8Array | string>
  /** Paths that were asked for, in order. */
  readonly asked: string[]
  /** Offers a version of a provider: its files, zipped and signed. */
  offer(address: string, version: string, files: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

export async function openTestRegistry(): Promise<TestRegistry> {
  const files = new Map<string, Uint8Array | string>([['/.well-known/terraform.json', '{"providers.v1":"/v1/providers/"}']])
  const asked: string[] = []
  const { os, arch } = thisPlatform()
  const { privateKey, publicKey } = await pgp.generateKey({ userIDs: [{ name: 'Test' }], type: 'rsa', rsaBits: 2048, format: 'object' })
  const server: Server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const found = files.get(path)
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(found)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const versions = new Map<string, unknown[]>()
  return {
    host,
    files,
    asked,
    async offer(address, version, contents) {
      const base = `/v1/providers/${address}`
      const name = `terraform-provider-${address.split('/').at(-1) ?? ''}_${version}_${os}_${arch}.zip`
      const zip = zipOf(contents)
      const sums = `${createHash('sha256').update(zip).digest('hex')}  ${name}\n`
      const message = await pgp.createMessage({ binary: Buffer.from(sums) })
      const signature = (await pgp.sign({ message, signingKeys: privateKey, detached: true, format: 'binary' })) as Uint8Array
      const list = [...(versions.get(address) ?? []), { version, protocols: ['5.0'], platforms: [{ os, arch }] }]
      versions.set(address, list)
      files.set(`${base}/versions`, JSON.stringify({ versions: list }))
      files.set(
        `${base}/${version}/download/${os}/${arch}`,
        JSON.stringify({
          os,
          arch,
          filename: name,
          download_url: `/files/${name}`,
          shasum: sums.slice(0, 64),
          shasums_url: `/files/${name}.sums`,
          shasums_signature_url: `/files/${name}.sums.sig`,
          signing_keys: { gpg_public_keys: [{ key_id: 'test', ascii_armor: publicKey.armor() }] },
        }),
      )
      files.set(`/files/${name}`, zip).set(`/files/${name}.sums`, sums).set(`/files/${name}.sums.sig`, signature)
    },
    close: () => new Promise((done) => server.close(() => done())),
  }
}
