import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Client, type Clock, type HttpTransportOptions, systemClock } from '@weft/client'
import { sendFailure, statusOf } from './answer.ts'
import { loadAppFiles } from './app-files/app-files.ts'
import type { Engines } from './endpoints/compute.ts'
import { sessionCookie } from './guard/cookie.ts'
import { setSecurityHeaders } from './guard/headers.ts'
import { isLoopback, siteOf } from './guard/site.ts'
import { censusTaker } from './history/census.ts'
import { startHistory } from './history/history.ts'
import { createInventories } from './inventory/inventories.ts'
import { createManual } from './manual/manual.ts'
import { scraper } from './metrics/scrape.ts'
import { startSampler } from './metrics/sampler.ts'
import { type Route, route } from './route.ts'
import { digestOf, newSecret } from './session/secret.ts'
import { createSessions, type SessionsOptions } from './session/sessions.ts'
import { createSignInCodes } from './session/sign-in-codes.ts'
import { createFeeds } from './watches/feeds.ts'
import { createWatchStreams } from './watches/watch-streams.ts'

export interface ConsoleOptions extends Engines {
  /** The Kubernetes API, and as whom the one-time link signs in. Who pastes a token acts as that token's user. */
  readonly server: HttpTransportOptions
  /** Where that user works: what the console shows first. Absent: everything. */
  readonly namespace?: string | undefined
  /**
   * Reads everything, in the process of the control plane: for sums of what there is and was, of which users are shown what they may see. Without it the console
   * reads what there is with each user's own rights, and keeps no past: over the network counting would cost too much.
   */
  readonly reader?: Client | undefined
  /** Where the built app is. */
  readonly appDirectory: string
  /** Where the built manual is, served under `/docs/`. Without it those addresses say that there is none. */
  readonly manualDirectory?: string | undefined
  readonly host?: string
  /** 0 picks a free one. */
  readonly port?: number
  /** Without it the console speaks plain HTTP, which is accepted on loopback only. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined
  /** Further names under which browsers may open it. */
  readonly names?: readonly string[]
  readonly sessions?: Omit<SessionsOptions, 'clock'> | undefined
  /** How long a one-time link works. */
  readonly linkLifetimeMs?: number
  readonly clock?: Clock
  /** One line for an operator. Never given secrets. */
  readonly log: (message: string) => void
}

export interface ConsoleServer {
  /** `http://127.0.0.1:6480` */
  readonly address: string
  /** A new link that signs in once. Whoever has it is that user: show it to nobody else. */
  signInLink(): string
  /** Whoever has it gets such links from the running console (`POST /console/links`); it ends with the process. As secret as a kubeconfig. */
  readonly linkKey: string
  /** Signs everybody out, ends streams and closes connections. Safe to call twice. */
  close(): Promise<void>
}

const LINK_LIFETIME_MS = 15 * 60_000

/** Serves the console. Rejects when the app is not built, when the port is taken, and without TLS off loopback. */
export async function startConsole(options: ConsoleOptions): Promise<ConsoleServer> {
  const { host = '127.0.0.1', port = 0, tls, clock = systemClock, log } = options
  if (tls === undefined && !isLoopback(host))
    throw new Error(`the console would send passwords in clear text to ${host}: give it a certificate, or serve it on 127.0.0.1`)
  const app = await loadAppFiles(options.appDirectory)
  const http: Server = tls === undefined ? createServer() : createSecureServer(tls)
  Object.assign(http, { requestTimeout: 60_000, headersTimeout: 30_000, keepAliveTimeout: 30_000, timeout: 0 })
  http.listen(port, host)
  await once(http, 'listening')
  const bound = (http.address() as AddressInfo).port

  const secure = tls !== undefined
  const site = siteOf({ secure, host, port: bound, names: options.names ?? [] })
  const sessions = createSessions({ ...options.sessions, clock })
  const codes = createSignInCodes({ now: () => clock.now(), lifetimeMs: options.linkLifetimeMs ?? LINK_LIFETIME_MS })
  const linkKey = newSecret()
  const signInLink = (): string => `${site.address}/console/sign-in#code=${codes.issue()}`
  const inventories = createInventories({ reader: options.reader, clock })
  const watches = createWatchStreams(sessions, createFeeds(inventories, clock))
  const source = scraper(options.server)
  const sampler = startSampler({ scrape: source.scrape, clock })
  const history = options.reader && startHistory({ takeCensus: censusTaker(options.reader), clock, log })
  const services: Route = {
    ...options,
    app,
    manual: createManual(options.manualDirectory),
    site,
    sessions,
    codes,
    watches,
    sampler,
    history,
    inventories,
    links: { keyDigest: digestOf(linkKey), issue: signInLink },
    cookie: sessionCookie({ secure, port: bound }),
  }
  // A socket that cannot be accepted is no reason to end: the control plane may be in the same process.
  http.on('error', (error) => log(`console: ${error.message}`))
  http.on('request', (request, response) => void answer(request, response, services, log))
  let closing: Promise<void> | undefined
  return {
    address: site.address,
    signInLink,
    linkKey,
    close: () =>
      (closing ??= (async () => {
        history?.stop()
        // The sockets first: nobody must be told that they are signed out when it is the console that goes.
        const closed = once(http, 'close')
        http.close()
        http.closeAllConnections()
        await closed
        sampler.stop()
        watches.close()
        sessions.close()
        await inventories.stop()
        await source.close()
      })()),
  }
}

/** One request. Never rejects, and never takes the process down. */
async function answer(request: IncomingMessage, response: ServerResponse, services: Route, log: (message: string) => void): Promise<void> {
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  setSecurityHeaders(response)
  try {
    await route(request, response, services)
  } catch (error) {
    // Paths may be anything; what the user did wrong is told to the user alone.
    if ((statusOf(error).code ?? 500) >= 500 && !request.destroyed) log(`console: ${describeCause(error)}`)
    sendFailure(response, error)
  }
}

function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && !error.message.includes(error.cause.message)
    ? `${error.message}: ${error.cause.message}`
    : error.message
}
