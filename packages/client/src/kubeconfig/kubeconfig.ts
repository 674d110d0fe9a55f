import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { readFile } from 'node:fs/promises'
import { isJsonObject, messageOf } from '@weft/api'
import type { ExecPlugin } from '../credentials/exec-plugin.ts'
import { type HttpTransportOptions, readNamedFile } from '../http/http-options.ts'
import type { Impersonation } from '../transport/transport.ts'
import { mustBeConfined } from './confined-kubeconfig.ts'
import {
  type ClusterEntry,
  type ContextEntry,
  KubeconfigError,
  type KubeconfigFile,
  type Located,
  type UserEntry,
} from './kubeconfig-file.ts'
import { readPlainYaml } from './plain-yaml.ts'

export interface LoadOptions {
  /** Files to merge; `$KUBECONFIG` or `~/.kube/config` unless told. */
  readonly paths?: readonly string[] | undefined
  /** `current-context` unless told. */
  readonly context?: string | undefined
  readonly env?: NodeJS.ProcessEnv
}

/** What a context of a kubeconfig says: how to connect, and the namespace to use when none is given. */
export interface ConnectionConfig extends HttpTransportOptions {
  readonly namespace: string
}

/** Reads and merges kubeconfig files as kubectl does: the first file that has an entry wins; missing files are skipped if another exists. */
export async function loadKubeconfig(options: LoadOptions = {}): Promise<ConnectionConfig> {
  const env = options.env ?? process.env
  const fromEnv = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '')
  const paths = options.paths ?? (fromEnv.length > 0 ? fromEnv : [join(homedir(), '.kube', 'config')])
  const files: Located<KubeconfigFile>[] = []
  for (const path of paths) {
    const text = await readOptional(path, paths.length > 1)
    if (text !== undefined) files.push({ entry: await parseFile(text, path), directory: dirname(resolve(path)) })
  }
  return connectionOf(files, options.context, paths.join(', '))
}

/**
 * The same from text in memory; relative paths in it start at `directory`. With `confined` it is somebody else's text: whatever in it would
 * read a file of this machine or run a program here is refused.
 */
export async function parseKubeconfig(
  text: string,
  options: { readonly context?: string; readonly directory?: string; readonly confined?: boolean } = {},
): Promise<ConnectionConfig> {
  const directory = options.directory ?? process.cwd()
  const file = await parseFile(text, 'kubeconfig')
  if (options.confined === true) mustBeConfined(file)
  return connectionOf([{ entry: file, directory }], options.context, 'kubeconfig')
}

async function readOptional(path: string, optional: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (optional && (cause as { code?: unknown }).code === 'ENOENT') return undefined
    throw new KubeconfigError('Unreadable', `cannot read the kubeconfig ${path}: ${messageOf(cause)}`, { cause })
  }
}

async function parseFile(text: string, name: string): Promise<KubeconfigFile> {
  let value: unknown
  try {
    value = readPlainYaml(text) ?? (await import('./any-yaml.ts')).parseAnyYaml(text)
  } catch (cause) {
    // The parser's message quotes the document, which holds credentials.
    const { linePos } = cause as { linePos?: readonly { line: number }[] }
    throw new KubeconfigError('Malformed', `${name} is not YAML${linePos?.[0] === undefined ? '' : ` (line ${linePos[0].line})`}`)
  }
  if (value === null || value === undefined) return {}
  if (!isJsonObject(value)) throw new KubeconfigError('Malformed', `${name} is not a kubeconfig: it must be a mapping`)
  return value
}

async function connectionOf(
  files: readonly Located<KubeconfigFile>[],
  wanted: string | undefined,
  where: string,
): Promise<ConnectionConfig> {
  const contextName = wanted ?? files.map(({ entry }) => entry['current-context']).find((name) => name !== undefined && name !== '')
  if (contextName === undefined) throw new KubeconfigError('NoContext', `${where} has no current-context: set one, or name a context`)
  const context = find<ContextEntry>(files, (file) => file.contexts?.find(({ name }) => name === contextName)?.context)
  if (context === undefined) throw new KubeconfigError('NoContext', `${where} has no context "${contextName}"`)
  const { cluster: clusterName = '', user: userName = '', namespace = 'default' } = context.entry
  const cluster = find<ClusterEntry>(files, (file) => file.clusters?.find(({ name }) => name === clusterName)?.cluster)
  if (cluster === undefined)
    throw new KubeconfigError('NoCluster', `${where} has no cluster "${clusterName}", which context "${contextName}" names`)
  const user = find<UserEntry>(files, (file) => file.users?.find(({ name }) => name === userName)?.user ?? undefined)
  if (user === undefined && userName !== '')
    throw new KubeconfigError('NoUser', `${where} has no user "${userName}", which context "${contextName}" names`)
  return {
    namespace,
    ...(await clusterOptions(cluster, clusterName)),
    ...(user !== undefined && (await userOptions(user, userName, cluster))),
  }
}

function find<T>(files: readonly Located<KubeconfigFile>[], pick: (file: KubeconfigFile) => T | undefined): Located<T> | undefined {
  for (const { entry, directory } of files) {
    const found = pick(entry)
    if (found !== undefined) return { entry: found, directory }
  }
  return undefined
}

async function clusterOptions({ entry, directory }: Located<ClusterEntry>, name: string): Promise<HttpTransportOptions> {
  const { server } = entry
  if (server === undefined || server === '') throw new KubeconfigError('NoServer', `cluster "${name}" has no server`)
  return {
    server: server.includes('://') ? server : `https://${server}`,
    ca: await inlineOrFile(entry['certificate-authority-data'], entry['certificate-authority'], directory, 'certificate authority'),
    insecureSkipTlsVerify: entry['insecure-skip-tls-verify'],
    tlsServerName: entry['tls-server-name'],
    proxyUrl: entry['proxy-url'] === '' ? undefined : entry['proxy-url'],
  }
}

async function userOptions(
  { entry, directory }: Located<UserEntry>,
  name: string,
  cluster: Located<ClusterEntry>,
): Promise<Partial<HttpTransportOptions>> {
  if (entry['auth-provider'] !== undefined)
    throw new KubeconfigError(
      'Unsupported',
      `user "${name}" uses auth-provider "${entry['auth-provider'].name ?? ''}", which Kubernetes has removed: use an exec plug-in`,
    )
  return {
    cert: await inlineOrFile(entry['client-certificate-data'], entry['client-certificate'], directory, 'client certificate'),
    key: await inlineOrFile(entry['client-key-data'], entry['client-key'], directory, 'client key'),
    token: entry.token === '' ? undefined : entry.token,
    tokenFile: entry.tokenFile === undefined || entry.tokenFile === '' ? undefined : located(entry.tokenFile, directory),
    username: entry.username === '' ? undefined : entry.username,
    password: entry.password,
    exec: execOf(entry, directory, cluster),
    impersonate: impersonationOf(entry),
  }
}

function execOf({ exec }: UserEntry, directory: string, { entry: cluster }: Located<ClusterEntry>): ExecPlugin | undefined {
  if (exec === undefined) return undefined
  const { apiVersion = '', command = '', args, env, installHint, interactiveMode, provideClusterInfo } = exec
  return {
    apiVersion,
    command,
    args: args ?? undefined,
    env: env ?? undefined,
    installHint,
    interactiveMode,
    directory,
    cluster: provideClusterInfo === true ? cluster : undefined,
  }
}

function impersonationOf(user: UserEntry): Impersonation | undefined {
  const { as: username, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = user
  if (username === undefined || username === '') return undefined
  return { username, ...(uid !== undefined && { uid }), ...(groups !== undefined && { groups }), ...(extra !== undefined && { extra }) }
}

async function inlineOrFile(
  data: string | undefined,
  file: string | undefined,
  directory: string,
  what: string,
): Promise<string | undefined> {
  if (data !== undefined && data !== '') return Buffer.from(data, 'base64').toString()
  return file === undefined || file === '' ? undefined : readNamedFile(located(file, directory), what)
}

const located = (path: string, directory: string): string => (isAbsolute(path) ? path : resolve(directory, path))
