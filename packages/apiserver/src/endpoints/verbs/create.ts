import { badRequest, type KubeObject, withMeta } from '@weft/api'
import { createObject } from '../../registry/index.ts'
import { readObject } from '../body/body.ts'
import type { ApiResponse } from '../exchange.ts'
import { parseWriteOptions } from '../options.ts'
import { type ResourceRequest, writeContext } from '../resource-request.ts'

export async function create(call: ResourceRequest): Promise<ApiResponse> {
  const { request, services } = call
  const options = parseWriteOptions(request.query, request.header('user-agent'), 'CreateOptions')
  const object = inNamespace(call, await readObject(call, options))
  const stored = await createObject(services, writeContext(call, options, 'CreateOptions'), object)
  return { status: 201, body: { kind: 'stored', stored } }
}

/** The object in the namespace of the URL, which it may leave out but not contradict; cluster-scoped ones lose theirs. */
export function inNamespace({ info, type }: Pick<ResourceRequest, 'info' | 'type'>, object: KubeObject): KubeObject {
  const expected = type.namespaced ? info.namespace : ''
  const { namespace = '' } = object.metadata
  if (namespace === expected) return object
  if (namespace !== '' && expected !== '')
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  return withMeta(object, { namespace: expected === '' ? undefined : expected })
}
