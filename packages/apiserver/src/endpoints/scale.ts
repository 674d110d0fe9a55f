import { badRequest, isJsonObject, type KubeObject, methodNotSupported, notFound, setOwn, unsupportedMediaType } from '@weft/api'
import { compileJsonPath } from '@weft/schema'
import { jsonPatch, mergePatch } from '../patch/index.ts'
import { type ScaleMapping, storageKey, subjectOf, updateObject, viewOf } from '../registry/index.ts'
import { mediaTypeOf, readBody } from './body.ts'
import { type ApiResponse, ok } from './exchange.ts'
import { parseWriteOptions } from './options.ts'
import { type ResourceRequest, writeContext } from './resource-request.ts'

/** `autoscaling/v1 Scale`: the replica count of any custom resource that declares where it keeps it. */
export async function scale(call: ResourceRequest): Promise<ApiResponse> {
  const { info, type, services } = call
  const mapping = type.subresources.find(({ name }) => name === 'scale')?.scale
  if (mapping === undefined) throw notFound(subjectOf(type, info.name))
  const stored = services.catalog.store(type).get(storageKey(type, info.namespace, info.name))
  if (stored === undefined) throw notFound(subjectOf(type, info.name))
  const live = (await viewOf(type, stored)).object
  if (info.verb === 'get') return ok(scaleOf(live, mapping))
  if (info.verb !== 'update' && info.verb !== 'patch') throw methodNotSupported({ group: type.group, resource: `${type.plural}/scale` }, info.verb)
  const options = parseWriteOptions(call.request.query, call.request.header('user-agent'), 'UpdateOptions')
  const wanted = await wantedScale(call, scaleOf(live, mapping))
  const replicas = isJsonObject(wanted['spec']) ? (wanted['spec']['replicas'] ?? 0) : 0
  if (!Number.isSafeInteger(replicas) || (replicas as number) < 0) throw badRequest(`spec.replicas: Invalid value: ${String(replicas)}: must be a non-negative integer`)
  const { resourceVersion } = wanted.metadata
  const result = await updateObject(services, { ...writeContext(call, options, 'UpdateOptions'), subresource: 'scale' }, info.name, {
    transform: (current) => {
      const next = withPath(current, mapping.specReplicasPath, replicas)
      return { ...next, metadata: { ...next.metadata, ...(resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion && { resourceVersion }) } }
    },
  })
  return ok(scaleOf(result.stored.object, mapping))
}

async function wantedScale(call: ResourceRequest, current: KubeObject): Promise<KubeObject> {
  if (call.info.verb === 'update') {
    const { value } = await readBody(call.request)
    if (!isJsonObject(value)) throw badRequest('the body must be a Scale object')
    return value as unknown as KubeObject
  }
  const type = mediaTypeOf(call.request)
  const supported = ['application/json-patch+json', 'application/merge-patch+json', 'application/strategic-merge-patch+json']
  if (!supported.includes(type)) throw unsupportedMediaType(supported)
  const { value } = await readBody(call.request, supported)
  return (type === supported[0] ? jsonPatch(current, value) : mergePatch(current, value as never)) as KubeObject
}

function scaleOf(object: KubeObject, { specReplicasPath, statusReplicasPath, labelSelectorPath }: ScaleMapping): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = labelSelectorPath === undefined ? '' : textAt(object, labelSelectorPath)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: { replicas: numberAt(object, specReplicasPath) },
    status: { replicas: numberAt(object, statusReplicasPath), ...(selector !== '' && { selector }) },
  }
}

function numberAt(object: KubeObject, path: string): number {
  const value = valueAt(object, path)
  return typeof value === 'number' ? value : 0
}

function textAt(object: KubeObject, path: string): string {
  const value = valueAt(object, path)
  return typeof value === 'string' ? value : ''
}

function valueAt(object: KubeObject, source: string): unknown {
  const path = compileJsonPath(source)
  return 'error' in path ? undefined : path.first(object)
}

/** Scale paths are plain dotted fields below spec or status: checked when the definition was written. */
function withPath(object: KubeObject, path: string, value: unknown): KubeObject {
  const set = (target: unknown, [head = '', ...rest]: readonly string[]): Record<string, unknown> => {
    const copy: Record<string, unknown> = isJsonObject(target) ? { ...target } : {}
    setOwn(copy, head, rest.length === 0 ? value : set(copy[head], rest))
    return copy
  }
  return set(object, path.replace(/^\./, '').split('.')) as unknown as KubeObject
}

