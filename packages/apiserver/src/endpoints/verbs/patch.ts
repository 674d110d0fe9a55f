import {
  badRequest,
  conflict,
  failure,
  field,
  formatGroupVersion,
  invalid,
  isJsonObject,
  type KubeObject,
  notFound,
  parseGroupVersion,
  stringifyJson,
  unsupportedMediaType,
  withMeta,
} from '@weft/api'
import { applyInParts, atOnce, type Parts } from '../../apply/index.ts'
import { jsonPatch, mergePatch, strategicMergePatch } from '../../patch/index.ts'
import { fieldContext, longWork, subjectOf, updateObject } from '../../registry/index.ts'
import { assertCustomKind, decodeFault, decodeInParts, decodeStrictly, goTypeOf, yamlLines } from '../body/body.ts'
import { inNamespace } from './create.ts'
import type { ApiResponse } from '../exchange.ts'
import { goMap } from './go-map.ts'
import { parseWriteOptions, type WriteOptions } from '../options.ts'
import { type Parsed, SyntaxFault } from '../body/parsed.ts'
import { APPLY_PATCH, JSON_PATCH, MERGE_PATCH, parsePatch, STRATEGIC_MERGE_PATCH } from '../body/patch-body.ts'
import { bytesRead, mediaTypeOf, parsePayload, readPayload } from '../body/payload.ts'
import { assertName } from './replace.ts'
import { type ResourceRequest, writeContext } from '../resource-request.ts'

export async function patch(call: ResourceRequest): Promise<ApiResponse> {
  const { request } = call
  const mediaType = patchTypeOf(call)
  if (!call.info.named) throw badRequest('name must be provided')
  const isApply = mediaType === APPLY_PATCH
  const { query } = request
  const own = isApply
    ? query.get('fieldManager')
      ? []
      : [field.required('fieldManager', 'is required for apply patch')]
    : query.has('force')
      ? [field.forbidden('force', 'may not be specified for non-apply patch')]
      : []
  const payload = await readPayload(request, [mediaType])
  const options = parseWriteOptions(query, request.header('user-agent'), 'PatchOptions', own)
  if (isApply)
    return applyPatch(
      call,
      options,
      parseApplied(() => parsePayload(payload)),
    )
  let parsed: Parsed | undefined
  const { stored } = await updateObject(call.services, writeContext(call, options, 'PatchOptions'), call.info.name, {
    async transform(live, isLong) {
      // Only now: of an object that is not there, nobody wants to know whether the patch is any good.
      parsed ??= parsePatch(mediaType, payload)
      if (isLong) await longWork.turn()
      const patched = patchedDocument(mediaType, live, parsed.value, call)
      if (isLong) await longWork.turn()
      const shown = mediaType === STRATEGIC_MERGE_PATCH ? goMap(parsed.value) : stringifyJson(patched)
      const parts = decodePatched(patched, shown, parsed.problems, call, options)
      const object = inNamespace(call, isLong ? await longWork.inTurns(parts) : atOnce(parts))
      assertName(call.info.name, object)
      return object
    },
  })
  return { status: 200, body: { kind: 'stored', stored } }
}

/** The kind of patch that the body is. Throws UnsupportedMediaType. */
export function patchTypeOf({ request, type }: Pick<ResourceRequest, 'request' | 'type'>): string {
  const supported = [JSON_PATCH, MERGE_PATCH, ...(type.custom ? [] : [STRATEGIC_MERGE_PATCH]), APPLY_PATCH]
  const given = mediaTypeOf(request)
  if (supported.includes(given)) return given
  if (type.custom) throw unsupportedMediaType(supported)
  throw failure({ code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} })
}

function patchedDocument(mediaType: string, live: KubeObject, value: unknown, { type }: ResourceRequest): unknown {
  if (mediaType === JSON_PATCH) return jsonPatch(live, value)
  if (mediaType === MERGE_PATCH) return mergePatch(live, value)
  return strategicMergePatch(live, value, type.schema)
}

/** Reads the result of a patch as an object again. What it breaks is the patch's fault. */
function* decodePatched(
  patched: unknown,
  shown: string,
  problems: readonly string[],
  { type, warn }: ResourceRequest,
  { fieldValidation }: WriteOptions,
): Parts<KubeObject> {
  const refused = (why: string): Error => invalid({ group: '', kind: '', name: '' }, [field.invalid('patch', shown, why)])
  const expected = formatGroupVersion(type)
  if (!isJsonObject(patched))
    throw refused(`json: cannot unmarshal ${Array.isArray(patched) ? 'array' : typeof patched} into Go value of type ${type.kind}`)
  const { apiVersion = expected, kind = type.kind, metadata, ...rest } = patched
  if (apiVersion !== expected || kind !== type.kind) {
    if (type.custom) assertCustomKind(type, String(apiVersion), String(kind), patched)
    throw refused(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    )
  }
  const object = { apiVersion: expected, kind: type.kind, ...rest, metadata: metadata ?? {} } as unknown as KubeObject
  try {
    const { known, strict } = yield* decodeInParts(type, object, { problems, isSorted: true }, fieldValidation)
    if (strict.length > 0 && fieldValidation === 'Strict') throw refused(`strict decoding error: ${strict.join(', ')}`)
    for (const text of strict) warn(text)
    return known
  } catch (error) {
    const why = decodeFault(error)
    throw why === undefined ? error : refused(why)
  }
}

function parseApplied(parse: () => Parsed): Parsed {
  try {
    return parse()
  } catch (error) {
    if (error instanceof SyntaxFault) throw badRequest(`error decoding YAML: ${error.message}`)
    throw error
  }
}

async function applyPatch(call: ResourceRequest, options: WriteOptions, { value, problems }: Parsed): Promise<ApiResponse> {
  const { info, type, services } = call
  const context = { ...writeContext(call, options, 'PatchOptions'), applied: true }
  const applied = appliedObject(value, type)
  const run = async (live: KubeObject | undefined, isLong: boolean): Promise<KubeObject> => {
    const parts = applyInParts({ ...fieldContext(services, context), live, applied, kind: type.kind, force: options.force })
    const result = await (isLong ? longWork.inTurns(parts) : atOnce(parts))
    complainOfText(problems, call, options)
    if (isLong) await longWork.turn()
    const object = inNamespace(call, type.fill?.(result) ?? converted(type, result, applied))
    assertName(info.name, object)
    return object
  }
  const { stored, created } = await updateObject(services, context, info.name, {
    transform: async (live, isLong) =>
      withMeta(await run(live, isLong), { resourceVersion: applied.metadata.resourceVersion ?? live.metadata.resourceVersion }),
    create: async () => {
      if (info.subresource !== '') throw notFound(subjectOf(type, info.name))
      const object = await run(undefined, longWork.isLong(bytesRead(call.request)))
      if (object.metadata.uid)
        throw conflict(
          subjectOf(type, info.name),
          `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`,
        )
      return object
    },
  })
  return { status: created ? 201 : 200, body: { kind: 'stored', stored } }
}

/** What an object became by an apply, as an object of its kind. A value that has the right type, but no meaning, is found only here. */
function converted(type: ResourceRequest['type'], result: KubeObject, applied: KubeObject): KubeObject {
  try {
    return decodeStrictly(type, result, { problems: [] }, 'Ignore').known
  } catch (error) {
    const why = decodeFault(error)
    if (why === undefined) throw error
    const { name = '', namespace = '' } = applied.metadata
    const message = `failed to convert new object (${namespace}/${name}; ${gvkText(applied)}) to proper version: unable to convert unstructured object to ${gvkText(applied)}: ${why}`
    throw failure({ code: 500, reason: '', message })
  }
}

/** Keys that occur twice: only once the apply itself would succeed, as kube-apiserver does. */
function complainOfText(problems: readonly string[], { warn }: ResourceRequest, { fieldValidation }: WriteOptions): void {
  const strict = problems.map((problem) => `error converting YAML to JSON: ${problem}`)
  if (strict.length > 0 && fieldValidation === 'Strict') throw badRequest(`error strict decoding YAML: ${strict.join(', ')}`)
  if (fieldValidation === 'Warn') for (const text of strict) for (const line of yamlLines(text)) warn(line)
}

/** The applied configuration must say what it is. It is neither pruned nor defaulted: it owns what it names, and may name only what there is. */
function appliedObject(value: unknown, type: ResourceRequest['type']): KubeObject {
  if (value !== null && value !== undefined && !isJsonObject(value))
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${goTypeOf(value)} into Go value of type map[string]interface {}`,
    )
  const given = value ?? {}
  if (given['apiVersion'] !== formatGroupVersion(type) || given['kind'] !== type.kind)
    throw badRequest(`invalid object type: ${gvkText(given)}`)
  return { ...given, metadata: isJsonObject(given['metadata']) ? given['metadata'] : {} } as unknown as KubeObject
}

function gvkText({ apiVersion, kind }: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  const { group, version } = parseGroupVersion(typeof apiVersion === 'string' ? apiVersion : '')
  return `${group}/${version}, Kind=${typeof kind === 'string' ? kind : ''}`
}
