import { isJsonObject, parseJson } from '@weft/api'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { PackageError } from '../package-error.ts'
import type { CredentialSource, RegistryCredentials } from './credentials.ts'

/** What Docker calls its own registry in configurations. */
const DOCKER_HUB = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io'])
const DOCKER_HUB_KEY = 'https://index.docker.io/v1/'

export interface DockerConfigOptions {
  /**
   * May `credHelpers` and `credsStore` programs of the configuration be run? Only for one that this machine's user wrote: never for one that
   * came out of a Secret.
   */
  readonly helpers?: boolean
  /** For messages: where the text is from. */
  readonly name?: string
}

/** Credentials from the text of a docker `config.json`, as `docker login` writes it and as a pull secret holds it. */
export function parseDockerConfig(
  text: string,
  { helpers = false, name = 'docker configuration' }: DockerConfigOptions = {},
): CredentialSource {
  let config: unknown
  try {
    config = parseJson(text).value
  } catch {
    // The parser's message may quote what is a password.
    throw new PackageError('Malformed', `${name} is not JSON; make it again with docker login`)
  }
  if (!isJsonObject(config)) throw new PackageError('Malformed', `${name} is not a JSON object`)
  const { auths, credHelpers, credsStore } = config
  return async (registry) => {
    const keys = DOCKER_HUB.has(registry)
      ? [DOCKER_HUB_KEY, ...DOCKER_HUB]
      : [registry, `https://${registry}`, `http://${registry}`, `https://${registry}/v2/`]
    const helper = helpers ? keys.map((key) => textIn(credHelpers, key)).find((found) => found !== undefined) : undefined
    if (helper !== undefined) return askHelper(helper, registry)
    for (const key of keys) {
      const entry = isJsonObject(auths) ? auths[key] : undefined
      const found = isJsonObject(entry) ? fromEntry(entry, `${name}, registry ${registry}`) : undefined
      if (found !== undefined) return found
    }
    const store = helpers && typeof credsStore === 'string' && credsStore !== '' ? credsStore : undefined
    return store === undefined ? undefined : askHelper(store, DOCKER_HUB.has(registry) ? DOCKER_HUB_KEY : registry)
  }
}

/** Credentials of whoever runs this: `$DOCKER_CONFIG/config.json` or `~/.docker/config.json`; none when there is no such file. */
export function dockerCredentials(env: NodeJS.ProcessEnv = process.env): CredentialSource {
  let source: Promise<CredentialSource> | undefined
  const load = async (): Promise<CredentialSource> => {
    const path = join(env['DOCKER_CONFIG'] ?? join(homedir(), '.docker'), 'config.json')
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw new PackageError('Unauthorized', `${path} cannot be read: ${error.message}`, { cause: error })
    })
    return text === undefined ? async () => undefined : parseDockerConfig(text, { helpers: true, name: path })
  }
  return async (registry) => (await (source ??= load()))(registry)
}

const textIn = (value: unknown, key: string): string | undefined => {
  const found = isJsonObject(value) ? value[key] : undefined
  return typeof found === 'string' && found !== '' ? found : undefined
}

function fromEntry(entry: Readonly<Record<string, unknown>>, name: string): RegistryCredentials | undefined {
  const identityToken = textIn(entry, 'identitytoken')
  if (identityToken !== undefined) return { identityToken }
  const username = textIn(entry, 'username')
  const password = textIn(entry, 'password')
  if (username !== undefined && password !== undefined) return { username, password }
  const auth = textIn(entry, 'auth')
  if (auth === undefined) return undefined
  const decoded = Buffer.from(auth, 'base64').toString()
  const colon = decoded.indexOf(':')
  if (colon <= 0) throw new PackageError('Malformed', `${name}: auth is not base64 of user:password; make it again with docker login`)
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1).replace(/\0+$/, '') }
}

const HELPER_TIMEOUT_MS = 30_000

/** Runs `docker-credential-<name> get`, which reads a server and answers a user and a secret. */
function askHelper(helper: string, server: string): Promise<RegistryCredentials | undefined> {
  if (!/^[A-Za-z0-9._-]+$/.test(helper))
    throw new PackageError('Malformed', `${JSON.stringify(helper)} is not the name of a docker credential helper`)
  const program = `docker-credential-${helper}`
  return new Promise((resolve, reject) => {
    const child = execFile(program, ['get'], { timeout: HELPER_TIMEOUT_MS, maxBuffer: 1024 * 1024 }, (error, stdout) => {
      if (error === null) return resolve(fromHelper(stdout))
      // A helper says on stdout that it has none; anonymous access may still do.
      if (/credentials not found/i.test(stdout)) return resolve(undefined)
      const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is not installed' : 'it failed'
      reject(new PackageError('Unauthorized', `the credential helper ${program} gave no credentials for ${server}: ${why}`))
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(server)
  })
}

function fromHelper(text: string): RegistryCredentials | undefined {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return undefined
  }
  const username = textIn(answer, 'Username')
  const secret = textIn(answer, 'Secret')
  if (secret === undefined) return undefined
  return username === '<token>' ? { identityToken: secret } : username === undefined ? undefined : { username, password: secret }
}
