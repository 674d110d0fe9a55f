import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, type HttpTransportOptions, parseKubeconfig } from '@weft/client'
import { type ConsoleServer, isLoopback, startConsole } from '@weft/console'
import { CommandFailure, style } from '../report.ts'
import { appDirectory, manualDirectory } from './built-folders.ts'
import { type EngineOptions, enginesFor } from './engines.ts'

/** Where browsers look for it unless told; the next free one when somebody else has it. */
export const DEFAULT_CONSOLE_PORT = 6480

export interface ServeOptions {
  readonly server: HttpTransportOptions
  /** Where its user works; see ConsoleOptions. */
  readonly namespace?: string | undefined
  /** undefined: the default, or another when that is taken. */
  readonly port: number | undefined
  readonly host?: string
  readonly tls?: { readonly key: string; readonly cert: string } | undefined
  readonly names?: readonly string[]
  /** Of the control plane in this process; see ConsoleOptions. */
  readonly reader?: Client | undefined
  readonly engines?: EngineOptions | undefined
}

export const isConsoleBuilt = (): boolean => existsSync(join(appDirectory(), 'index.html'))

/** Starts the console with the engines of the command line. */
export async function serveConsole({ port, engines, ...options }: ServeOptions): Promise<ConsoleServer> {
  const start = (wanted: number): Promise<ConsoleServer> =>
    startConsole({
      ...options,
      ...enginesFor(engines),
      port: wanted,
      appDirectory: appDirectory(),
      manualDirectory: manualDirectory(),
      log: (message) => process.stderr.write(`${style('yellow', 'warn')}: ${message}\n`),
    })
  try {
    return await start(port ?? DEFAULT_CONSOLE_PORT)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EADDRINUSE') throw error
    // Nobody asked for that port: another one does as well.
    if (port === undefined) return start(0)
    throw new CommandFailure(`port ${port} is taken: choose another with --console-port, or 0 for any that is free`, { cause: error })
  }
}

export interface EmbeddedOptions extends Omit<ServeOptions, 'server' | 'tls'> {
  /** The administrator's. */
  readonly kubeconfig: string
  /** Of the API server; the console uses it where it must speak TLS. */
  readonly certificate: { readonly key: string; readonly cert: string }
  readonly host: string
}

/**
 * On loopback browsers treat plain HTTP as secure, and a certificate of our own authority would only make them warn.
 * Everywhere else the console speaks TLS.
 */
export async function serveEmbeddedConsole({ kubeconfig, certificate, host, ...options }: EmbeddedOptions): Promise<ConsoleServer> {
  const server = await parseKubeconfig(kubeconfig)
  return serveConsole({ ...options, host, server, ...(!isLoopback(host) && { tls: certificate }) })
}
