import { createHash } from 'node:crypto'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { linkLibraries } from './links.ts'

/** A PostgreSQL server as npm has it, and what its archive has to be. */
export interface PostgresqlRelease {
  readonly name: string
  readonly version: string
  /** `sha512-…`, as in a lock file. */
  readonly integrity: string
}

/** The file that `npm pack` leaves. */
export const archiveName = ({ name, version }: PostgresqlRelease): string => `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`

/** Where a registry of npm has it. */
export const archivePath = ({ name, version }: PostgresqlRelease): string => `${name}/-/${name.split('/').at(-1)}-${version}.tgz`

/** Everything of the server is below this in the archive. */
const FOLDER = 'package/native/'

export interface UnpackOptions {
  readonly release: PostgresqlRelease
  /** Is there afterwards, complete or not at all. */
  readonly target: string
  /** For messages. */
  readonly from: string
}

/** Unpacks a server, if it is the one that this Weft was tested with. */
export async function unpackRelease(bytes: Uint8Array, { release, target, from }: UnpackOptions): Promise<void> {
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  if (found !== release.integrity)
    throw new Error(`${from} is not ${release.name} ${release.version}: its checksum is ${found}, not ${release.integrity}; fetch it again`)
  const half = `${target}.${process.pid}`
  await rm(half, { recursive: true, force: true })
  try {
    await unpack(bytes, half)
    await linkLibraries(half)
    await rename(half, target)
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

async function unpack(bytes: Uint8Array, folder: string): Promise<void> {
  const archive = extract()
  const reading = pipeline(Readable.from([bytes]), createGunzip(), archive)
  for await (const entry of archive) {
    const { name, type = 'file' } = entry.header
    const path = name.slice(FOLDER.length)
    if (type !== 'file' || !name.startsWith(FOLDER) || path.split('/').includes('..')) {
      entry.resume()
      continue
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of entry) chunks.push(chunk as Uint8Array)
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true, mode: 0o755 })
    await writeFile(file, Buffer.concat(chunks))
    await chmod(file, path.startsWith('bin/') || path.includes('.so') ? 0o755 : 0o644)
  }
  await reading
}
