import { failure, notFound } from '@weft/api'
import { storageKey, subjectOf, type StoredObject, viewOf } from '../../registry/index.ts'
import type { ApiResponse } from '../exchange.ts'
import { versionFault } from '../options.ts'
import type { ResourceRequest } from '../resource-request.ts'

export function getObject({ request, info, type, services }: ResourceRequest): ApiResponse | Promise<ApiResponse> {
  const version = request.query.get('resourceVersion') ?? ''
  const store = services.catalog.store(type)
  if (version !== '' && version !== '0') assertNotFuture(version, store.revision)
  const stored = store.get(storageKey(type, info.namespace, info.name))
  if (stored === undefined) throw notFound(subjectOf(type, info.name))
  const view = viewOf(type, stored)
  return view instanceof Promise ? view.then(answer) : answer(view)
}

const answer = (stored: StoredObject): ApiResponse => ({ status: 200, body: { kind: 'stored', stored } })

export function assertNotFuture(version: string, current: number): void {
  const why = versionFault(version)
  if (why !== undefined)
    throw failure({ code: 500, reason: '', message: `resourceVersion: Invalid value: ${JSON.stringify(version)}: ${why}` })
  if (Number(version) > current) throw tooLargeResourceVersion(version, current)
}

export const tooLargeResourceVersion = (version: string | number, current: number): Error =>
  failure({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${version}, current: ${current}`,
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
  })
