import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { Resolver } from 'node:dns/promises'
import { join } from 'node:path'
import { eventually } from '../../packages/testing/src/index.ts'
import { unpackedProgram } from '../debian.mjs'

export const ZONE = 'world.test'

/** Debian's BIND, with one zone that whoever has the key may change. */
export interface NameServer {
  readonly address: string
  readonly key: string
  /** The texts of a name, in no order; none where there is no such name. */
  texts(name: string): Promise<readonly string[]>
  close(): Promise<void>
}

const LIBRARIES = [
  'bind9-libs',
  'libuv1',
  'libjemalloc2',
  'libnghttp2-14',
  'libmaxminddb0',
  'liblmdb0',
  'libfstrm0',
  'libprotobuf-c1',
  'libxml2',
  'libjson-c5',
  'libcap2',
  'libicu72',
  'liblzma5',
  'libkrb5-3',
  'libgssapi-krb5-2',
]

export async function startNameServer(directory: string): Promise<NameServer | { readonly skipped: string }> {
  const named = await unpackedProgram('debian-bind9', { package: 'bind9', program: 'named', folder: 'sbin', libraries: LIBRARIES })
  if ('skipped' in named) return named
  mkdirSync(directory, { recursive: true })
  chmodSync(directory, 0o777)
  const key = randomBytes(32).toString('base64')
  const port = await freePort()
  writeFileSync(
    join(directory, 'zone'),
    `$TTL 60\n@ IN SOA ns.${ZONE}. admin.${ZONE}. (1 60 60 60 60)\n@ IN NS ns.${ZONE}.\nns IN A 127.0.0.1\n`,
  )
  writeFileSync(
    join(directory, 'named.conf'),
    `options { directory "${directory}"; pid-file none; session-keyfile none; managed-keys-directory "${directory}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no; dnssec-validation no; };
     controls {};
     key "weft." { algorithm hmac-sha256; secret "${key}"; };
     zone "${ZONE}" { type primary; file "${join(directory, 'zone')}"; allow-update { key "weft."; }; };`,
  )
  const child: ChildProcess = spawn(named.path, ['-g', '-n', '1', '-c', join(directory, 'named.conf')], {
    env: { ...process.env, LD_LIBRARY_PATH: named.libraries },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  let said = ''
  child.stderr?.on('data', (data: Buffer) => (said = `${said}${data.toString()}`.slice(-4_000)))
  const resolver = new Resolver({ timeout: 2_000, tries: 3 })
  resolver.setServers([`127.0.0.1:${port}`])
  const texts = async (name: string): Promise<readonly string[]> => {
    try {
      return (await resolver.resolveTxt(`${name}.${ZONE}`)).map((parts) => parts.join(''))
    } catch (error) {
      if (['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
      throw error
    }
  }
  try {
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(`named ended: ${said}`)
      return resolver.resolveNs(ZONE)
    })
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`named does not answer: ${said}`, { cause: error })
  }
  return {
    address: `127.0.0.1:${port}`,
    key,
    texts,
    async close() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
