import { badRequest, field, formatGroupVersion, invalid, isJsonObject, type KubeObject, notFound, parseGroupVersion, unsupportedMediaType, withMeta } from '@weft/api'
import { apply } from '../apply/index.ts'
import { jsonPatch, mergePatch, strategicMergePatch } from '../patch/index.ts'
import { fieldContext, subjectOf, updateObject } from '../registry/index.ts'
import { decodeObject, mediaTypeOf, readBody } from './body.ts'
import type { ApiResponse } from './exchange.ts'
import { parseWriteOptions, type WriteOptions } from './options.ts'
import { type ResourceRequest, writeContext } from './resource-request.ts'

const JSON_PATCH = 'application/json-patch+json'
const MERGE_PATCH = 'application/merge-patch+json'
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json'
const APPLY_PATCH = 'application/apply-patch+yaml'

export async function patch(call: ResourceRequest): Promise<ApiResponse> {
  const { request, type } = call
  const supported = [JSON_PATCH, MERGE_PATCH, ...(type.custom ? [] : [STRATEGIC_MERGE_PATCH]), APPLY_PATCH]
  const mediaType = mediaTypeOf(request)
  if (!supported.includes(mediaType)) throw unsupportedMediaType(supported)
  const options = parseWriteOptions(request.query, request.header('user-agent'), 'PatchOptions')
  if (mediaType === APPLY_PATCH) return applyPatch(call, options)
  if (request.query.has('force')) throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions', name: '' }, [field.forbidden('force', 'may not be specified for non-apply patch')])
  const { value } = await readBody(request, supported)
  const { stored } = await updateObject(call.services, writeContext(call, options, 'PatchOptions'), call.info.name, {
    transform: (live) => {
      const patched = patchedDocument(mediaType, live, value, call)
      return decodeObject(withVersionKept(patched, live), [], type, options.fieldValidation, call.warn)
    },
  })
  return { status: 200, body: { kind: 'stored', stored } }
}

function patchedDocument(mediaType: string, live: KubeObject, value: unknown, { type }: ResourceRequest): unknown {
  if (mediaType === JSON_PATCH) return jsonPatch(live, value)
  if (mediaType === MERGE_PATCH) return mergePatch(live, value)
  return strategicMergePatch(live, value, type.schema)
}

/**
 * A patch that does not name a resourceVersion is not conditional: the one it inherited from the live object is
 * dropped only if it is unchanged, because then the retry may go on from a newer object.
 */
function withVersionKept(patched: unknown, live: KubeObject): unknown {
  if (!isJsonObject(patched) || !isJsonObject(patched['metadata'])) return patched
  if (patched['metadata']['resourceVersion'] !== live.metadata.resourceVersion) return patched
  return withMeta(patched as unknown as KubeObject, { resourceVersion: undefined })
}

async function applyPatch(call: ResourceRequest, options: WriteOptions): Promise<ApiResponse> {
  const { request, info, type, services } = call
  if (!request.query.get('fieldManager'))
    throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions', name: '' }, [field.required('fieldManager', 'is required for apply patch')])
  const { value, duplicates } = await readBody(request, [APPLY_PATCH])
  if (!isJsonObject(value)) throw badRequest('error decoding YAML: the applied configuration must be an object')
  const applied = decodeApplied(value, duplicates, call, options)
  const context = { ...writeContext(call, options, 'PatchOptions'), applied: true }
  const run = (live: KubeObject | undefined): KubeObject =>
    apply({ ...fieldContext(services, context), live, applied, kind: type.kind, force: options.force })
  const { stored, created } = await updateObject(services, context, info.name, {
    transform: (live) => withMeta(decodeObject(run(live), [], type, 'Ignore', call.warn), { resourceVersion: applied.metadata.resourceVersion }),
    create: () => {
      if (info.subresource !== '' || applied.metadata.resourceVersion || applied.metadata.uid) throw notFound(subjectOf(type, info.name))
      return decodeObject(run(undefined), [], type, 'Ignore', call.warn)
    },
  })
  return { status: created ? 201 : 200, body: { kind: 'stored', stored } }
}

/** The applied configuration must say what it is, and be about this object. It is pruned but never defaulted: it owns only what it names. */
function decodeApplied(value: Readonly<Record<string, unknown>>, duplicates: readonly string[], call: ResourceRequest, options: WriteOptions): KubeObject {
  const { info, type } = call
  const expected = formatGroupVersion(type)
  const metadata = isJsonObject(value['metadata']) ? value['metadata'] : {}
  if (value['apiVersion'] !== expected || value['kind'] !== type.kind)
    throw badRequest(`invalid object type: ${gvkText(value)}`)
  if (metadata['name'] !== undefined && metadata['name'] !== info.name)
    throw badRequest(`the name of the object (${String(metadata['name'])}) does not match the name on the URL (${info.name})`)
  if (metadata['namespace'] !== undefined && type.namespaced && metadata['namespace'] !== info.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  const named = { ...value, metadata: { ...metadata, name: info.name, ...(type.namespaced && { namespace: info.namespace }) } }
  return decodeObject(named, duplicates, type, options.fieldValidation, call.warn, true)
}

function gvkText({ apiVersion, kind }: Readonly<Record<string, unknown>>): string {
  const { group, version } = parseGroupVersion(typeof apiVersion === 'string' ? apiVersion : '')
  return `${group}/${version}, Kind=${typeof kind === 'string' ? kind : ''}`
}
