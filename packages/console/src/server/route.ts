import type { IncomingMessage, ServerResponse } from 'node:http'
import { CSRF_HEADER, SESSION_EXPIRED } from '../contract.ts'
import { Refusal, sendJson } from './answer.ts'
import type { AppFiles } from './app-files/app-files.ts'
import { readJsonObject } from './body.ts'
import { type Engines, readPlanRequest, readRenderRequest, unsupported } from './endpoints/compute.ts'
import { mayGet, readWishes, reviewAll } from './endpoints/access.ts'
import { readHistory } from './endpoints/history.ts'
import { issueLink, type LinkServices } from './endpoints/links.ts'
import { readLog, readPackage } from './endpoints/packages.ts'
import { search } from './endpoints/search.ts'
import { describe, signIn, type SignInServices } from './endpoints/session.ts'
import { readWatchControl } from './endpoints/watch-control.ts'
import type { Site } from './guard/site.ts'
import type { History } from './history/history.ts'
import type { Inventories } from './inventory/inventories.ts'
import { isOfManual, type Manual } from './manual/manual.ts'
import type { Sampler } from './metrics/sampler.ts'
import { checkHeaders, proxy } from './proxy/proxy.ts'
import type { ConsoleSession } from './session/sessions.ts'
import type { WatchStreams } from './watches/watch-streams.ts'

/** All that requests may need. */
export interface Route extends SignInServices, LinkServices, Engines {
  readonly app: AppFiles
  readonly manual: Manual
  readonly site: Site
  readonly watches: WatchStreams
  readonly sampler: Sampler
  readonly history: History | undefined
  readonly inventories: Inventories
}

const WATCHES = '/console/watches'

/** From a request to whoever answers it. Checks come before anything is read: host, origin, session, CSRF token. */
export async function route(request: IncomingMessage, response: ServerResponse, services: Route): Promise<void> {
  const { site, app } = services
  site.checkHost(request)
  const target = request.url ?? '/'
  const path = target.split('?', 1)[0] ?? '/'
  if (path.startsWith('/k8s/')) {
    checkHeaders(request)
    const session = checkedSession(request, services)
    return proxy(request, response, { session, sessions: services.sessions, target: target.slice('/k8s'.length) })
  }
  // Public pages, the same in every installation: they are read before anybody has signed in.
  if (isOfManual(path)) return services.manual.serve(request, response, path)
  const endpoint = ENDPOINTS[`${request.method ?? 'GET'} ${path.startsWith(`${WATCHES}/`) ? `${WATCHES}/ID` : path}`]
  if (endpoint !== undefined) return endpoint(request, response, services)
  if (KNOWN_PATHS.has(path)) throw new Refusal(405, 'MethodNotAllowed', `${path} has no ${request.method ?? 'GET'}`)
  return app.serve(request, response, path)
}

type Endpoint = (request: IncomingMessage, response: ServerResponse, services: Route) => Promise<void>

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  async 'GET /console/session'(request, response, services) {
    sendJson(response, 200, describe(checkedSession(request, services), services.server))
  },
  async 'POST /console/session'(request, response, services) {
    services.site.checkOrigin(request)
    await signIn(request, response, services)
  },
  async 'DELETE /console/session'(request, response, services) {
    services.sessions.end(checkedSession(request, services))
    services.cookie.clear(response)
    response.writeHead(204).end()
  },
  async 'POST /console/links'(request, response, services) {
    services.site.checkOrigin(request)
    await issueLink(request, response, services)
  },
  async 'POST /console/access'(request, response, services) {
    const session = checkedSession(request, services)
    sendJson(response, 200, { allowed: await reviewAll(session, readWishes(await readJsonObject(request))) })
  },
  async 'POST /console/plan'(request, response, services) {
    const { identity, signal } = checkedSession(request, services)
    if (services.plan === undefined) throw unsupported('plan changes')
    const wanted = readPlanRequest(await readJsonObject(request))
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    sendJson(response, 200, await services.plan(identity.client(), wanted, AbortSignal.any([gone.signal, signal])))
  },
  async 'POST /console/render'(request, response, services) {
    checkedSession(request, services)
    if (services.render === undefined) throw unsupported('render')
    sendJson(response, 200, await services.render(readRenderRequest(await readJsonObject(request))))
  },
  async 'POST /console/package'(request, response, services) {
    const session = checkedSession(request, services)
    const body = await readJsonObject(request)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    sendJson(response, 200, await readPackage(session, services, body, AbortSignal.any([gone.signal, session.signal])))
  },
  async 'GET /console/logs'(request, response, services) {
    sendJson(response, 200, await readLog(checkedSession(request, services), services, request))
  },
  async 'GET /console/metrics'(request, response, services) {
    const session = checkedSession(request, services)
    // They were read with the operator's credentials: only who could read them too may see them.
    if (!(await mayGet(session, '/metrics')))
      throw new Refusal(403, 'Forbidden', 'you may not read the numbers of the controllers (/metrics)')
    sendJson(response, 200, services.sampler.read())
  },
  async 'GET /console/history'(request, response, services) {
    const session = checkedSession(request, services)
    sendJson(response, 200, await readHistory(session, services.history, queryOf(request).get('namespace') ?? ''))
  },
  async 'GET /console/search'(request, response, services) {
    sendJson(response, 200, await search(checkedSession(request, services), services.inventories, queryOf(request)))
  },
  async [`GET ${WATCHES}`](request, response, services) {
    services.watches.open(checkedSession(request, services), response)
  },
  async [`POST ${WATCHES}/ID`](request, response, services) {
    const session = checkedSession(request, services)
    const id = (request.url ?? '').slice(WATCHES.length + 1)
    services.watches.control(session, id, readWatchControl(await readJsonObject(request)))
    response.writeHead(204).end()
  },
}

const queryOf = (request: IncomingMessage): URLSearchParams => new URL(request.url ?? '/', 'http://console').searchParams

const KNOWN_PATHS = new Set(Object.keys(ENDPOINTS).map((key) => key.split(' ')[1] ?? ''))

/** Who asks, from a page of the console; what changes something proves that the page knows the session's CSRF token. */
function checkedSession(request: IncomingMessage, { site, sessions, cookie }: Route): ConsoleSession {
  site.checkOrigin(request)
  const id = cookie.read(request)
  const session = id === undefined ? undefined : sessions.find(id)
  if (session === undefined) throw new Refusal(401, SESSION_EXPIRED, 'you are not signed in, or no longer')
  const token = request.headers[CSRF_HEADER.toLowerCase()]
  const safe = request.method === 'GET' || request.method === 'HEAD'
  if (!safe && (typeof token !== 'string' || !sessions.isCsrfToken(session, token)))
    throw new Refusal(403, 'Forbidden', `the header ${CSRF_HEADER} is missing or wrong: reload the page`)
  return session
}
