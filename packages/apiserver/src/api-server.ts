import { randomUUID } from 'node:crypto'
import { Metrics, type MetricsSource } from '@weft/api'
import { type AdmissionPlugin, createAdmission } from './admission/admission.ts'
import { conversionWebhook } from './admission/conversion-webhook.ts'
import { withExpressionChecks } from './admission/expressions/expression-checks.ts'
import { serverPlugins } from './admission/server-plugins.ts'
import { createWebhookClient } from './admission/webhooks/http-client.ts'
import { serviceObjects, type ServiceResolver } from './admission/webhooks/service-resolver.ts'
import { type AuditLog, auditEvent } from './audit/index.ts'
import {
  type Attributes,
  type Authorizer,
  createAuthenticator,
  createRbacAuthorizer,
  createServiceAccountTokens,
  firstToAllow,
  type DiscoveryResponse,
  JWKS_PATH,
  jwksDocument,
  OPENID_CONFIGURATION_PATH,
  openIdConfiguration,
  RBAC_GROUP,
  type RbacAuthorizer,
  type ServiceAccountTokens,
  signingKey,
  type StaticTokens,
} from './auth/index.ts'
import { RBAC_PLURALS, roleSource, serviceAccountLookup } from './auth-sources.ts'
import {
  discoveryHandler,
  type HealthCheck,
  HealthChecks,
  healthHandler,
  indexPageHandler,
  KUBERNETES_VERSION,
  metricsHandler,
  versionHandler,
} from './endpoints/discovery/index.ts'
import type { ApiRequest, ApiResponse } from './endpoints/exchange.ts'
import { backupPath } from './endpoints/backup.ts'
import { dependentsPath } from './endpoints/dependents.ts'
import { OpenWatches } from './endpoints/open-watches.ts'
import { describeException, type RequestException } from './endpoints/request-exception.ts'
import { openApiV2Handler, openApiV3Handler } from './endpoints/openapi/index.ts'
import { reviewHandlers } from './endpoints/verbs/reviews.ts'
import { scale } from './endpoints/verbs/scale.ts'
import { type ApiServer, createServer, type Observer, type PathHandler } from './endpoints/server.ts'
import { Rights } from './endpoints/visible-objects.ts'
import { createFairness, type FairnessOptions, flowControlObjects } from './fairness/index.ts'
import { builtinKinds, storedKindsOf } from './kinds/index.ts'
import { ApiServices } from './lifecycle/api-services.ts'
import { bootstrap } from './lifecycle/bootstrap.ts'
import { AggregatedClusterRoles } from './lifecycle/cluster-roles.ts'
import { CustomResources } from './lifecycle/custom-resources.ts'
import { ExpiredEvents } from './lifecycle/expired-events.ts'
import { FlowControl } from './lifecycle/flow-control.ts'
import { GarbageCollector } from './lifecycle/garbage-collector.ts'
import { Namespaces } from './lifecycle/namespaces.ts'
import { ResourceQuotas } from './lifecycle/resource-quotas.ts'
import { PolicyTypes } from './lifecycle/policy-types.ts'
import type { LifecycleService } from './lifecycle/system.ts'
import { addProcessMetrics, addStorageMetrics, requestObserver } from './metrics/index.ts'
import { type ObjectLookup, objectLookup } from './object-lookup.ts'
import type { Pki } from './pki/index.ts'
import { QuotaLedger } from './quota/index.ts'
import { HeapWatch } from './heap-watch.ts'
import { builtinType, Catalog, type ObjectStore, type RegistryServices } from './registry/index.ts'
import { type ServedKinds, servedKinds } from './served-kinds.ts'
import { serverChecks } from './server-checks.ts'
import type { Storage } from './storage/index.ts'

export interface ApiServerOptions {
  readonly storage: Storage
  readonly pki: Pki
  /** Where clients reach it (`https://127.0.0.1:6443`); known once the socket listens. */
  readonly address: () => string
  readonly tokens?: StaticTokens | undefined
  readonly auditLog?: AuditLog | undefined
  /** Further built-in kinds, which are stored and nothing else: groups and versions (`apps/v1`, `v1`), or `all`. */
  readonly serve?: readonly string[] | undefined
  readonly fairness?: FairnessOptions | undefined
  /** Admission of Weft's kinds. Runs before webhooks and policies that users configure. */
  readonly admission?: readonly AdmissionPlugin[]
  /** Asked, in this order, about what RBAC does not allow. */
  readonly authorizers?: readonly Authorizer[]
  /** Where webhooks given as a service reference are; where it does not know, the Service object says so, if it is of type ExternalName. */
  readonly serviceResolver?: ((...asked: Parameters<ServiceResolver>) => ReturnType<ServiceResolver> | undefined) | undefined
  /** Serve paths that are no resources, of those who run in the same process. Who may reach them is RBAC's matter (`nonResourceURLs`). */
  readonly paths?: readonly PathHandler[] | undefined
  /** What else `/metrics` shows: numbers of those who run in the same process. Names must not be the server's own. */
  readonly metrics?: MetricsSource | undefined
  /** Further questions that `/readyz` and its like ask. */
  readonly health?: readonly HealthCheck[]
  /** Told of every request that somebody had no right to. It must be quick. */
  readonly onForbidden?: ((attributes: Attributes) => void) | undefined
  /** Told of failures in the background that no request gets to see. */
  readonly onError: (what: string, error: unknown) => void
  /** Told of faults of the server that a request met, besides `onError`. */
  readonly onException?: (exception: RequestException) => void
  /** Why nothing new can be stored; by default, that the engine's heap is nearly full. */
  readonly memoryProblem?: (() => string | undefined) | undefined
  /** How long events are kept after they were last written: an hour unless told; 0 is for ever. */
  readonly eventTtlMs?: number | undefined
  /** The version of the product that this server is a part of, for `/version`. */
  readonly release?: string | undefined
  readonly now?: () => number
  readonly random?: () => number
}

/** The API server without its sockets: `handle` serves HTTP fronts and in-process callers alike. */
export interface EmbeddedApiServer {
  readonly handle: ApiServer
  readonly services: RegistryServices
  readonly kinds: ServedKinds
  /** Who may do what, for admission that lives outside the server. */
  readonly authorizer: Authorizer
  /** What RBAC alone allows. */
  readonly rbac: Authorizer
  readonly objects: ObjectLookup
  /** Stops housekeeping; storage and sockets are the caller's. */
  close(): Promise<void>
}

export async function createApiServer(options: ApiServerOptions): Promise<EmbeddedApiServer> {
  const { storage, pki, onError, now = Date.now, random = Math.random } = options
  const catalog = new Catalog(storage)
  const kinds = [...builtinKinds, ...storedKindsOf(options.serve ?? [])]
  catalog.replace(
    [],
    kinds.map((kind) => builtinType(withExpressionChecks(kind))),
  )
  // Plug-ins need what is made from the services that carry them.
  const late: { authorizer?: RbacAuthorizer; quotas?: QuotaLedger; started?: boolean; stopping?: boolean } = {}
  const webhookClient = createWebhookClient()
  const byObjects = serviceObjects(catalog)
  const resolve: ServiceResolver = (service) => options.serviceResolver?.(service) ?? byObjects(service)
  const admission = createAdmission(
    serverPlugins({
      catalog,
      authorizer: () => late.authorizer as RbacAuthorizer,
      quotas: () => late.quotas,
      client: webhookClient,
      resolve,
      more: options.admission ?? [],
      started: () => late.started === true,
      onError,
    }),
  )
  const heap = new HeapWatch({ now, onShort: (problem) => onError('memory', problem) })
  const memoryProblem = options.memoryProblem ?? ((): string | undefined => heap.problem)
  const services: RegistryServices = { catalog, admission, now, random, newUid: randomUUID, memoryProblem }
  const rbac = createRbacAuthorizer(roleSource(catalog))
  const authorizer: RbacAuthorizer = { ...rbac, authorize: firstToAllow([rbac, ...(options.authorizers ?? [])]) }
  late.authorizer = authorizer
  const lookup = serviceAccountLookup(catalog)
  const tokens = createServiceAccountTokens({ key: signingKey(pki.serviceAccountKey), lookup })
  const authenticator = createAuthenticator({ ca: pki.ca.certificate, tokens: options.tokens, serviceAccounts: tokens })
  const fairness = createFairness(flowControlObjects(catalog), options.fairness)

  const custom = new CustomResources(services, conversionWebhook({ client: webhookClient, resolve }), onError)
  const flowControl = new FlowControl(services, onError)
  await Promise.all([bootstrap(services), flowControl.ensure()])
  const quotas = new QuotaLedger(catalog)
  late.quotas = quotas
  late.started = true
  const collector = new GarbageCollector(services, storage, onError)
  const housekeeping: LifecycleService[] = [
    custom,
    new Namespaces(services, pki.ca.certificatePem, onError),
    new AggregatedClusterRoles(services, onError),
    new ApiServices(services, onError),
    new PolicyTypes(services, onError),
    collector,
    flowControl,
    new ResourceQuotas(services, quotas, onError),
    new ExpiredEvents(services, storage, { ttlMs: options.eventTtlMs, onError }),
  ]
  const observers: Observer[] = options.auditLog === undefined ? [] : [auditObserver(options.auditLog, now)]
  const metrics = new Metrics()
  addProcessMetrics(metrics, now)
  metrics.reading('apiserver_memory_short', '1 while nothing new is stored for want of memory.', () =>
    memoryProblem() === undefined ? 0 : 1,
  )
  addStorageMetrics(metrics, storage)
  observers.push(requestObserver(metrics, { catalog, now }))
  const openApi = { catalog, kinds, release: RELEASE }
  const own = serverChecks({ storage, isStarted: () => late.started === true, isStopping: () => late.stopping === true })
  const health = new HealthChecks([...own, ...(options.health ?? [])], ({ endpoint, name, reason }) =>
    onError(`${endpoint} check ${name}`, reason),
  )
  const paths: PathHandler[] = [
    healthHandler(health),
    discoveryHandler({ catalog, serverAddress: () => new URL(options.address()).host }),
    openApiV3Handler(openApi),
    openApiV2Handler(openApi),
    versionHandler({ release: options.release }),
    metricsHandler({ render: () => metrics.render() + fairness.render() + (options.metrics?.render() ?? '') }),
    oidcPaths(tokens, options.address),
    backupPath(storage),
    dependentsPath((uid) => collector.dependentsOf(uid), authorizer),
    ...(options.paths ?? []),
    indexPageHandler({
      catalog,
      otherPaths: () => [...health.paths(), '/metrics', '/openapi/v2', '/openapi/v3', '/version', JWKS_PATH, OPENID_CONFIGURATION_PATH],
    }),
  ]
  const exceptions = metrics.counter('apiserver_request_exceptions_total', 'Requests that failed through a fault of the server.').cell()
  const storeOf = (group: string, plural: string): ObjectStore => catalog.store(catalog.builtIn(group, plural))
  const rights = new Rights(RBAC_PLURALS.map((plural) => storeOf(RBAC_GROUP, plural)))
  const accounts = storeOf('', 'serviceaccounts')
  const watches = new OpenWatches()
  rights.follow(() => watches.recheck())
  accounts.follow(accounts.revision, () => watches.recheck())
  const handle = createServer({
    services,
    authenticator,
    authorizer,
    paths,
    special: new Map([...reviewHandlers({ authenticator, authorizer, tokens, lookup }), ['*/scale', scale]]),
    observers,
    gate: (user, info) => fairness.classify(user, info),
    rights,
    watches,
    onForbidden: options.onForbidden,
    onException(exception) {
      exceptions.add(1)
      options.onException?.(exception)
      onError('request', describeException(exception))
    },
  })
  if (options.memoryProblem === undefined) heap.start()
  return {
    handle,
    services,
    kinds: servedKinds(catalog),
    authorizer,
    rbac,
    objects: objectLookup(catalog),
    async close() {
      late.stopping = true
      heap.stop()
      // First, so that no housekeeping under way waits for a webhook.
      await webhookClient.close()
      for (const service of housekeeping.reverse()) await service.stop()
      watches.close()
      fairness.close()
      catalog.close()
    },
  }
}

/** Part of the hash of every OpenAPI document. */
const RELEASE = KUBERNETES_VERSION

function oidcPaths(tokens: ServiceAccountTokens, address: () => string): PathHandler {
  const answer = ({ contentType, cacheControl, body }: DiscoveryResponse): ApiResponse => ({
    status: 200,
    headers: { 'cache-control': cacheControl },
    body: { kind: 'bytes', contentType, bytes: body },
  })
  return ({ path }: ApiRequest) => {
    if (path === OPENID_CONFIGURATION_PATH) return answer(openIdConfiguration(tokens, address()))
    if (path === JWKS_PATH) return answer(jwksDocument(tokens))
    return undefined
  }
}

function auditObserver(log: AuditLog, now: () => number): Observer {
  return {
    end({ request, info, user, impersonatedBy, response, startedAt, annotations, requestId }) {
      const query = request.query.size > 0 ? `?${request.query.toString()}` : ''
      log.record(
        auditEvent(
          {
            auditID: requestId ?? randomUUID(),
            requestURI: request.path + query,
            verb: info.verb,
            user: impersonatedBy ?? user ?? { username: 'system:anonymous', groups: [] },
            impersonatedUser: impersonatedBy === undefined ? undefined : user,
            sourceIPs: [request.remoteAddress],
            userAgent: request.header('user-agent'),
            ...(info.isResource && {
              objectRef: {
                resource: info.resource,
                namespace: info.namespace,
                name: info.name,
                apiGroup: info.group,
                apiVersion: info.version,
                subresource: info.subresource,
              },
            }),
            receivedAt: startedAt,
            ...(annotations && { annotations }),
          },
          { stage: 'ResponseComplete', now: now(), code: response.status },
        ),
      )
    },
  }
}
