import { badRequest, type KubeObject } from '@weft/api'
import { updateObject } from '../../registry/index.ts'
import { readObject } from '../body/body.ts'
import { inNamespace } from './create.ts'
import type { ApiResponse } from '../exchange.ts'
import { parseWriteOptions } from '../options.ts'
import { type ResourceRequest, writeContext } from '../resource-request.ts'

export async function replace(call: ResourceRequest): Promise<ApiResponse> {
  const { request, info, type, services } = call
  const options = parseWriteOptions(request.query, request.header('user-agent'), 'UpdateOptions')
  const object = inNamespace(call, await readObject(call, options))
  assertName(info.name, object)
  const { stored, created } = await updateObject(services, writeContext(call, options, 'UpdateOptions'), info.name, {
    transform: () => object,
    create: type.strategy.createOnUpdate && info.subresource === '' ? () => object : undefined,
    replaces: true,
  })
  return { status: created ? 201 : 200, body: { kind: 'stored', stored } }
}

/** The name in the object must be the one in the URL. */
export function assertName(name: string, { metadata }: KubeObject): void {
  if (!metadata.name) throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`)
  if (metadata.name !== name) throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`)
}
