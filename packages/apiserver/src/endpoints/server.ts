import { randomUUID } from 'node:crypto'
import { StatusError, toStatusError, unauthorized } from '@weft/api'
import {
  ANONYMOUS,
  anonymousUser,
  type Authenticator,
  type Authorizer,
  type Decision,
  type Attributes,
  forbiddenError,
  impersonatedUser,
  type UserInfo,
} from '../auth/index.ts'
import type { Flow } from '../fairness/index.ts'
import type { RegistryServices } from '../registry/index.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import type { OpenWatches } from './open-watches.ts'
import { patchTypeOf } from './verbs/patch.ts'
import type { RequestException } from './request-exception.ts'
import { represent, representationOf, representStatus } from './answer/represent.ts'
import { parseRequestInfo, type RequestInfo } from './request-info.ts'
import { requestDeadlineFault } from './request-timeout.ts'
import type { ResourceRequest } from './resource-request.ts'
import { type ResourceHandler, resourceHandler } from './resources.ts'
import { Warnings } from './answer/warnings.ts'
import { assertRoute, isOffScope, pageNotFound, unknownResource } from './routes.ts'
import { type Rights, visibleObjects } from './visible-objects.ts'

/** Serves a path that is not a resource (`/healthz`, `/version`, discovery); undefined = not mine. */
export type PathHandler = (request: ApiRequest, info: RequestInfo, user: UserInfo) => ApiResponse | Promise<ApiResponse> | undefined

/** Sees every request once it is over: audit, metrics. Must not throw. */
export interface Observer {
  begin?(request: ApiRequest, info: RequestInfo): void
  end(exchange: Finished): void
}

export interface Finished {
  readonly request: ApiRequest
  readonly info: RequestInfo
  readonly user: UserInfo | undefined
  readonly impersonatedBy: UserInfo | undefined
  readonly response: ApiResponse
  readonly startedAt: number
  /** What admission left for the audit log. */
  readonly annotations?: Readonly<Record<string, string>> | undefined
  /** Set where the answer carries it already, as `Audit-Id`. */
  readonly requestId?: string | undefined
}

/** Says where a request belongs. It is served once it has a seat there, which it gives back when it is answered. */
export type Gate = (user: UserInfo, info: RequestInfo) => Flow

export interface ServerParts {
  readonly services: RegistryServices
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  readonly paths: readonly PathHandler[]
  readonly special: ReadonlyMap<string, ResourceHandler>
  readonly observers: readonly Observer[]
  readonly gate: Gate
  /** Told of every fault of the server; see RequestException. */
  readonly onException: (exception: RequestException) => void
  /** Told of every request that somebody had no right to. */
  readonly onForbidden?: ((attributes: Attributes) => void) | undefined
  /** For those who are shown a part of a kind. */
  readonly rights: Rights
  /** Ends watches whose owner lost their rights. */
  readonly watches: Pick<OpenWatches, 'guard'>
}

/** The one way in, for sockets and for in-process callers. Never rejects: every failure is an answer. */
export type ApiServer = (request: ApiRequest) => Promise<ApiResponse>

export function createServer(parts: ServerParts): ApiServer {
  return async (request) => {
    const startedAt = parts.services.now()
    const info = parseRequestInfo(request.method, request.path, request.query)
    const who: Identity = { user: undefined, impersonatedBy: undefined }
    for (const observer of parts.observers) observer.begin?.(request, info)
    const warnings = new Warnings()
    const exchange: Exchange = { request, info, warnings, flow: undefined, annotations: undefined, requestId: undefined }
    const response = complete(await answer(parts, exchange, who).catch((error: unknown) => failed(parts, exchange, who, error)), exchange)
    for (const observer of parts.observers)
      observer.end({ request, info, ...who, response, startedAt, annotations: exchange.annotations, requestId: exchange.requestId })
    return response
  }
}

/** A failure as an answer. What is no Status is a fault of ours, and must not vanish. */
function failed(parts: ServerParts, exchange: Exchange, { user }: Identity, error: unknown): ApiResponse {
  const { request } = exchange
  const response = representStatus(request, statusResponse(toStatusError(error)))
  if (error instanceof StatusError || request.signal.aborted) return response
  const requestId = randomUUID()
  exchange.requestId = requestId
  parts.onException({ error, requestId, method: request.method, path: request.path, user })
  return { ...response, headers: { ...response.headers, 'audit-id': requestId } }
}

interface Identity {
  user: UserInfo | undefined
  impersonatedBy: UserInfo | undefined
}

interface Exchange {
  readonly request: ApiRequest
  readonly info: RequestInfo
  /** Sent with the answer, whether it is a success or not. */
  readonly warnings: Warnings
  /** Which objects decided how it was served; whoever came over the network is told. */
  flow: Flow | undefined
  /** For the audit log; made when there is one. */
  annotations: Record<string, string> | undefined
  /** Made when somebody needs it. */
  requestId: string | undefined
}

function complete(response: ApiResponse, { request, warnings: { texts }, flow }: Exchange): ApiResponse {
  const told = flow !== undefined && request.credentials.kind !== 'internal'
  if (texts.length === 0 && !told) return response
  return {
    ...response,
    ...(texts.length > 0 && { warnings: texts }),
    ...(told && { headers: response.headers === undefined ? flow.headers : { ...response.headers, ...flow.headers } }),
  }
}

async function answer(parts: ServerParts, exchange: Exchange, who: Identity): Promise<ApiResponse> {
  const { request, info } = exchange
  if (info.watchPath && info.resource === '') return unparsable(info)
  const late = requestDeadlineFault(request, info)
  if (late !== undefined) throw late
  identify(parts, request, who)
  const user = who.user as UserInfo
  // Before anything is looked up: refusals cost, too.
  const flow = parts.gate(user, info)
  exchange.flow = flow
  const granted = flow.acquire(request)
  const seat = granted instanceof Promise ? await granted : granted
  try {
    const decision = authorize(parts, user, info)
    const response = await dispatch(parts, exchange, user, decision)
    return response.body.kind === 'watch' ? guarded(parts, exchange, response, { ...response.body, decision }) : response
  } finally {
    seat.release()
  }
}

type WatchAnswer = Extract<ApiResponse['body'], { kind: 'watch' }> & { readonly decision: Decision }

/** A watch lasts as long as its owner could open it again. Callers in the process cannot lose what they are. */
function guarded(parts: ServerParts, { request, info }: Exchange, response: ApiResponse, { decision, ...body }: WatchAnswer): ApiResponse {
  if (request.credentials.kind === 'internal') return response
  const isAllowed = (): boolean => {
    const again: Identity = { user: undefined, impersonatedBy: undefined }
    try {
      identify(parts, request, again)
      // Whoever saw everything, and may see a part of it now, has to ask for that.
      return authorize(parts, again.user as UserInfo, info).allowed || !decision.allowed
    } catch {
      return false
    }
  }
  return { ...response, body: { ...body, watch: parts.watches.guard(body.watch, isAllowed) } }
}

function identify(parts: ServerParts, request: ApiRequest, who: Identity): void {
  if (request.credentials.kind === 'internal') who.user = request.credentials.user
  else {
    const { peerCertificate } = request.credentials
    const { authenticator } = parts
    who.user =
      authenticator.authenticate({ peerCertificate, authorization: request.header('authorization') }) ?? anonymousUser(request.path)
    if (who.user === undefined) throw unauthorized()
  }
  const headers = request.headersWithPrefix('impersonate-')
  if (headers.length === 0) return
  const effective = impersonatedUser(who.user, grouped(headers), parts.authorizer)
  if (effective === undefined) return
  who.impersonatedBy = who.user
  who.user = effective
}

const ANYBODY: Decision = { allowed: true, reason: '' }

/** Throws unless at least a part of what is asked for may be seen. */
function authorize(parts: ServerParts, user: UserInfo, info: RequestInfo): Decision {
  if (user === ANONYMOUS) return ANYBODY
  const attributes = {
    user,
    verb: info.verb,
    namespace: info.namespace,
    apiGroup: info.group,
    apiVersion: info.version,
    resource: info.resource,
    // What follows a subresource in a path is its own business, and no part of what is authorised.
    subresource: info.subresource.split('/', 1)[0] ?? '',
    name: info.name,
    resourceRequest: info.isResource,
    path: info.path,
  }
  const decision = parts.authorizer.authorize(attributes)
  const isView = decision.only !== undefined && (info.verb === 'list' || info.verb === 'watch') && info.subresource === ''
  if (!decision.allowed && !isView) {
    parts.onForbidden?.(attributes)
    throw forbiddenError(attributes, decision.reason)
  }
  return decision
}

function grouped(headers: readonly (readonly [string, string])[]): Record<string, readonly string[]> {
  const result: Record<string, string[]> = {}
  for (const [name, value] of headers) (result[name] ??= []).push(value)
  return result
}

async function dispatch(parts: ServerParts, exchange: Exchange, user: UserInfo, decision: Decision): Promise<ApiResponse> {
  const { request, info, warnings } = exchange
  const { services } = parts
  if (!info.isResource) {
    for (const handler of parts.paths) {
      const response = handler(request, info, user)
      if (response !== undefined) return response
    }
    return pageNotFound
  }
  if (request.path.startsWith('//')) return pageNotFound
  const type = services.catalog.find(info.group, info.version, info.resource)
  if (type === undefined) return unknownResource(info, services.catalog)
  if (isOffScope(info, type)) return pageNotFound
  if (type.deprecationWarning !== undefined) warnings.add(type.deprecationWarning)
  assertRoute(request.method, info, type)
  // What cannot be read, or not be answered, is refused before anything is done.
  if (info.verb === 'patch' && request.body.kind === 'bytes' && info.subresource !== 'scale') patchTypeOf({ request, type })
  const representation = representationOf(request, type, info.verb)
  const call: ResourceRequest = {
    request,
    info,
    type,
    user,
    services,
    visible: decision.allowed ? undefined : visibleObjects(decision, type, parts.rights),
    warn: (text) => warnings.add(text),
    annotate: (key, value) => void ((exchange.annotations ??= {})[key] ??= value),
  }
  const handler = resourceHandler(call, parts.special)
  return represent(request, type, await handler(call), { representation, now: services.now() })
}

const unparsable = ({ path }: RequestInfo): ApiResponse => ({
  status: 500,
  body: {
    kind: 'bytes',
    contentType: 'text/plain; charset=utf-8',
    bytes: `Internal Server Error: ${JSON.stringify(path)}: failed to create RequestInfo: unable to determine kind and namespace from url, ${path}\n`,
  },
})

export function statusResponse(error: StatusError): ApiResponse {
  const { status } = error
  const retry = status.details?.retryAfterSeconds
  return {
    status: error.code,
    ...(retry !== undefined && { headers: { 'retry-after': String(retry) } }),
    body: { kind: 'object', object: status },
  }
}
