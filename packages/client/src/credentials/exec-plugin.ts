import { execFile } from 'node:child_process'
import { isAbsolute, resolve } from 'node:path'
import { isJsonObject } from '@weft/api'
import type { Clock } from '../clock.ts'
import { bearer, type Credential, CredentialError, type CredentialSource } from './credentials.ts'

/** `users[].user.exec` of a kubeconfig: a program that prints an ExecCredential. */
export interface ExecPlugin {
  readonly apiVersion: string
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: readonly { readonly name: string; readonly value: string }[] | undefined
  readonly installHint?: string | undefined
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always' | undefined
  /** Told to the plug-in when it asks for it (`provideClusterInfo`). */
  readonly cluster?: object | undefined
  /** Relative commands with a slash are resolved against it: the folder of the kubeconfig. */
  readonly directory?: string | undefined
}

/** Runs a program and answers what it printed; injected in tests. */
export type RunProgram = (command: string, args: readonly string[], env: NodeJS.ProcessEnv, signal?: AbortSignal) => Promise<string>

const VERSIONS = new Set(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'])
/** A credential this close to its end would expire on the way. */
const EXPIRY_MARGIN_MS = 10_000
const TIMEOUT_MS = 60_000

interface Held {
  readonly credential: Credential
  readonly expiresAt: number
}

/** Credentials from a plug-in: kept until they expire or the server rejects them; one run at a time. */
export function execCredentials(plugin: ExecPlugin, clock: Clock, run: RunProgram = runProgram): CredentialSource {
  if (!VERSIONS.has(plugin.apiVersion))
    throw new CredentialError(
      'Unsupported',
      `exec plug-in ${plugin.command}: apiVersion ${plugin.apiVersion} is not supported; use ${[...VERSIONS].join(' or ')}`,
    )
  if (plugin.interactiveMode === 'Always')
    throw new CredentialError('Unsupported', `exec plug-in ${plugin.command} needs a terminal (interactiveMode: Always), and there is none`)
  let held: Held | undefined
  let running: Promise<Held> | undefined
  return {
    async current() {
      if (held !== undefined && clock.now() < held.expiresAt - EXPIRY_MARGIN_MS) return held.credential
      // The run is shared, so no single caller's signal may end it.
      running ??= execute(plugin, run).finally(() => (running = undefined))
      held = await running
      return held.credential
    },
    reject(credential) {
      if (held?.credential === credential) held = undefined
    },
  }
}

async function execute(plugin: ExecPlugin, run: RunProgram): Promise<Held> {
  const info = {
    kind: 'ExecCredential',
    apiVersion: plugin.apiVersion,
    spec: { interactive: false, ...(plugin.cluster !== undefined && { cluster: plugin.cluster }) },
  }
  const env: NodeJS.ProcessEnv = { ...process.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) }
  for (const { name, value } of plugin.env ?? []) env[name] = value
  let output: string
  try {
    output = await run(commandOf(plugin), plugin.args ?? [], env)
  } catch (cause) {
    throw failed(plugin, cause)
  }
  return parseAnswer(plugin, output)
}

function commandOf({ command, directory }: ExecPlugin): string {
  return directory !== undefined && command.includes('/') && !isAbsolute(command) ? resolve(directory, command) : command
}

function failed({ command, installHint }: ExecPlugin, cause: unknown): CredentialError {
  const { code } = cause as { code?: unknown }
  if (code === 'ENOENT') {
    const hint = installHint === undefined || installHint === '' ? '' : `\n${installHint}`
    return new CredentialError('PluginMissing', `exec plug-in ${command} was not found: install it or correct the kubeconfig${hint}`, {
      cause,
    })
  }
  return new CredentialError('PluginFailed', `exec plug-in ${command} failed (exit ${String(code ?? 'unknown')})`, { cause })
}

function parseAnswer({ command, apiVersion }: ExecPlugin, output: string): Held {
  const wrong = (why: string): CredentialError => new CredentialError('PluginAnswerInvalid', `exec plug-in ${command} ${why}`)
  let answer: unknown
  try {
    answer = JSON.parse(output)
  } catch {
    throw wrong('did not print JSON')
  }
  if (!isJsonObject(answer) || answer['kind'] !== 'ExecCredential' || answer['apiVersion'] !== apiVersion)
    throw wrong(`must print an ExecCredential of ${apiVersion}`)
  const status = isJsonObject(answer['status']) ? answer['status'] : undefined
  if (status === undefined) throw wrong('printed an ExecCredential without status')
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = status
  if (typeof token !== 'string' && typeof clientCertificateData !== 'string') throw wrong('gave neither a token nor a certificate')
  if ((typeof clientCertificateData === 'string') !== (typeof clientKeyData === 'string'))
    throw wrong('must give certificate and key together')
  const expiresAt = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : Number.POSITIVE_INFINITY
  if (Number.isNaN(expiresAt)) throw wrong('gave an expirationTimestamp that is not a time')
  return {
    credential: {
      ...(typeof token === 'string' && { authorization: bearer(token) }),
      ...(typeof clientCertificateData === 'string' && { certificate: clientCertificateData, key: clientKeyData as string }),
    },
    expiresAt,
  }
}

const runProgram: RunProgram = (command, args, env, signal) =>
  new Promise((resolvePromise, reject) => {
    const child = execFile(
      command,
      [...args],
      { env, timeout: TIMEOUT_MS, maxBuffer: 1024 * 1024, ...(signal && { signal }) },
      (error, stdout) => {
        if (error === null) resolvePromise(stdout)
        else reject(error)
      },
    )
    child.stdin?.end()
  })
