import { badRequest, type KubeObject } from '@weft/api'
import { updateObject } from '../registry/index.ts'
import { readObject } from './body.ts'
import { assertNamespace } from './create.ts'
import type { ApiResponse } from './exchange.ts'
import { parseWriteOptions } from './options.ts'
import { type ResourceRequest, writeContext } from './resource-request.ts'

export async function replace(call: ResourceRequest): Promise<ApiResponse> {
  const { request, info, type, services } = call
  const options = parseWriteOptions(request.query, request.header('user-agent'), 'UpdateOptions')
  const object = await readObject(request, type, options, call.warn)
  assertName(call, object)
  assertNamespace(call, object.metadata.namespace)
  const { stored, created } = await updateObject(services, writeContext(call, options, 'UpdateOptions'), info.name, {
    transform: () => object,
    create: type.strategy.createOnUpdate && info.subresource === '' ? () => object : undefined,
    replaces: true,
  })
  return { status: created ? 201 : 200, body: { kind: 'stored', stored } }
}

function assertName({ info }: ResourceRequest, { metadata }: KubeObject): void {
  if (metadata.name === undefined || metadata.name === '') throw badRequest('name must be provided')
  if (metadata.name !== info.name) throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${info.name})`)
}
