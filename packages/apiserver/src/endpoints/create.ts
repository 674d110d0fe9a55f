import { badRequest, methodNotSupported } from '@weft/api'
import { createObject } from '../registry/index.ts'
import { readObject } from './body.ts'
import type { ApiResponse } from './exchange.ts'
import { parseWriteOptions } from './options.ts'
import { type ResourceRequest, writeContext } from './resource-request.ts'

export async function create(call: ResourceRequest): Promise<ApiResponse> {
  const { request, info, type, services } = call
  if (info.name !== '') throw methodNotSupported({ group: type.group, resource: type.plural }, 'create')
  const options = parseWriteOptions(request.query, request.header('user-agent'), 'CreateOptions')
  const object = await readObject(request, type, options, call.warn)
  assertNamespace(call, object.metadata.namespace)
  const stored = await createObject(services, writeContext(call, options, 'CreateOptions'), object)
  return { status: 201, body: { kind: 'stored', stored } }
}

/** The namespace in the object must be the one in the URL. */
export function assertNamespace({ info, type }: ResourceRequest, namespace: string | undefined): void {
  if (type.namespaced && info.namespace === '') throw badRequest('an empty namespace may not be set during creation')
  if (namespace && type.namespaced && namespace !== info.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}
