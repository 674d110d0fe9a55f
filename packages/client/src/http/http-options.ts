import { readFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { messageOf } from '@weft/api'
import type { Clock, Random } from '../clock.ts'
import { basic, bearer, type Credential, CredentialError, type CredentialSource, staticCredentials } from '../credentials/credentials.ts'
import { type ExecPlugin, execCredentials } from '../credentials/exec-plugin.ts'
import { tokenFileCredentials } from '../credentials/token-file.ts'
import type { Impersonation } from '../transport/transport.ts'

/** How to reach a server and as whom. `loadKubeconfig` and `inClusterConfig` make these. */
export interface HttpTransportOptions {
  /** `https://host:port`, with a path prefix if the server has one. */
  readonly server: string
  /** PEM of the authorities to trust; the system's when absent. */
  readonly ca?: string | undefined
  /** Name to check the server's certificate for, when it is not the host. */
  readonly tlsServerName?: string | undefined
  readonly insecureSkipTlsVerify?: boolean | undefined
  readonly proxyUrl?: string | undefined
  /** PEM. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  readonly token?: string | undefined
  /** Read again when it changes; wins over `token`. */
  readonly tokenFile?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly exec?: ExecPlugin | undefined
  readonly impersonate?: Impersonation | undefined
  readonly userAgent?: string | undefined
  /**
   * How often a read is tried while there is no answer; a person at a terminal wants to know sooner than a controller. 1: whoever calls
   * decides about every further attempt, also about one that the server asks to come later.
   */
  readonly maxTries?: number | undefined
  /** The most that one answer may hold, for servers that are not trusted; watches are limited by the event. */
  readonly maxAnswerBytes?: number | undefined
  /** How names of servers and proxies become addresses; as the system does unless given. An error of it is the error of the connection. */
  readonly lookup?: LookupFunction | undefined
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
}

/** One source from all that is given. A plug-in comes last: explicit credentials win, as in kubectl. */
export function credentialSourceOf(options: HttpTransportOptions, clock: Clock): CredentialSource {
  const { cert, key, token, tokenFile, username, password, exec } = options
  if ((cert === undefined) !== (key === undefined))
    throw new CredentialError('Unsupported', 'a client certificate needs its key, and a key its certificate')
  const base: Credential = { ...(cert !== undefined && key !== undefined && { certificate: cert, key }) }
  if (tokenFile !== undefined) return tokenFileCredentials(tokenFile, clock, base)
  if (token !== undefined) return staticCredentials({ ...base, authorization: bearer(token) })
  if (username !== undefined) return staticCredentials({ ...base, authorization: basic(username, password ?? '') })
  if (exec !== undefined && cert === undefined) return execCredentials(exec, clock)
  return staticCredentials(base)
}

/** Reads a file named by configuration; the error says which and why. */
export async function readNamedFile(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new CredentialError('FileUnreadable', `cannot read the ${what} ${path}: ${messageOf(cause)}`, { cause })
  }
}
