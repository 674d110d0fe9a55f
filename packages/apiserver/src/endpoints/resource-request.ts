import type { UserInfo } from '../auth/index.ts'
import type { RegistryServices, ResourceType, WriteContext } from '../registry/index.ts'
import type { ApiRequest } from './exchange.ts'
import type { WriteOptions } from './options.ts'
import { bytesRead } from './body/payload.ts'
import type { RequestInfo } from './request-info.ts'
import type { VisibleObjects } from './visible-objects.ts'

/** A request for a resource that is served, by a user who may: what every verb starts from. */
export interface ResourceRequest {
  readonly request: ApiRequest
  readonly info: RequestInfo
  readonly type: ResourceType
  readonly user: UserInfo
  readonly services: RegistryServices
  /** Of lists and watches: the user may see these only, and must not learn of others. */
  readonly visible: VisibleObjects | undefined
  warn(text: string): void
  annotate(key: string, value: string): void
}

export function writeContext(
  { request, info, type, user, warn, annotate }: ResourceRequest,
  options: Pick<WriteOptions, 'dryRun' | 'manager'>,
  kind: string,
): WriteContext {
  return {
    type,
    subresource: info.subresource,
    namespace: type.namespaced ? info.namespace : '',
    user,
    dryRun: options.dryRun,
    manager: options.manager,
    options: { kind, apiVersion: 'meta.k8s.io/v1', ...(options.dryRun && { dryRun: ['All'] }), fieldManager: options.manager },
    bytes: bytesRead(request),
    warn,
    annotate,
  }
}
