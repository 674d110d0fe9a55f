import {
  badRequest,
  field,
  internalError,
  invalid,
  isJsonObject,
  type KubeObject,
  notFound,
  stringifyJson,
  unsupportedMediaType,
} from '@weft/api'
import { jsonPatch, mergePatch } from '../../patch/index.ts'
import {
  hasReplicas,
  scaleMapping,
  type ScaleMapping,
  scaleOf,
  storageKey,
  subjectOf,
  updateObject,
  viewOf,
  withReplicas,
} from '../../registry/index.ts'
import { shapeOf } from '../body/body-shape.ts'
import { decodeFault, decodeStrictly, readObject } from '../body/body.ts'
import { inNamespace } from './create.ts'
import { type ApiResponse, ok } from '../exchange.ts'
import { parseWriteOptions, type WriteOptions } from '../options.ts'
import { APPLY_PATCH, JSON_PATCH, MERGE_PATCH, parsePatch, STRATEGIC_MERGE_PATCH } from '../body/patch-body.ts'
import { mediaTypeOf, readPayload } from '../body/payload.ts'
import { assertName } from './replace.ts'
import { type ResourceRequest, writeContext } from '../resource-request.ts'

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** `autoscaling/v1 Scale`: the replica count of any resource that declares where it keeps it. */
export async function scale(call: ResourceRequest): Promise<ApiResponse> {
  const { info, type, services } = call
  const mapping = scaleMapping(type, 'scale')
  if (mapping === undefined) throw notFound(subjectOf(type, info.name))
  if (info.verb === 'get') return readScale(call, mapping)
  const options = parseWriteOptions(
    call.request.query,
    call.request.header('user-agent'),
    info.verb === 'update' ? 'UpdateOptions' : 'PatchOptions',
  )
  const next = info.verb === 'update' ? await replacement(call, options) : await patched(call, options)
  const result = await updateObject(services, { ...writeContext(call, options, 'UpdateOptions'), subresource: 'scale' }, info.name, {
    transform(current) {
      const wanted = next(scaleOf(current, mapping))
      const replicas = wantedReplicas(wanted, current, mapping)
      if (!type.custom && replicas < 0) throw tooFew(info.name, replicas)
      const { resourceVersion } = wanted.metadata
      const changed = withReplicas(current, replicas, mapping)
      return resourceVersion ? { ...changed, metadata: { ...changed.metadata, resourceVersion } } : changed
    },
  })
  return ok(scaleOf(result.stored.object, mapping))
}

async function readScale({ info, type, services }: ResourceRequest, mapping: ScaleMapping): Promise<ApiResponse> {
  const stored = services.catalog.store(type).get(storageKey(type, info.namespace, info.name))
  if (stored === undefined) throw notFound(subjectOf(type, info.name))
  const live = (await viewOf(type, stored)).object
  if (!hasReplicas(live, mapping))
    throw internalError(new Error(`the spec replicas field ${JSON.stringify(mapping.specReplicasPath)} does not exist`))
  return ok(scaleOf(live, mapping))
}

/** How the request turns the Scale as it is into the one it wants. */
type NextScale = (current: KubeObject) => KubeObject

async function replacement(call: ResourceRequest, options: WriteOptions): Promise<NextScale> {
  const wanted = inNamespace(call, await readObject({ ...call, type: shapeOf(call.type, SCALE) }, options))
  assertName(call.info.name, wanted)
  return () => wanted
}

async function patched(call: ResourceRequest, { fieldValidation }: WriteOptions): Promise<NextScale> {
  const mediaType = mediaTypeOf(call.request)
  // Of a Scale, which has no lists, the strategic one means the same.
  const supported = [JSON_PATCH, MERGE_PATCH, ...(call.type.custom ? [] : [STRATEGIC_MERGE_PATCH]), APPLY_PATCH]
  if (!supported.includes(mediaType)) throw unsupportedMediaType(supported)
  const { value, problems } = parsePatch(mediaType, await readPayload(call.request, supported))
  return (current) => {
    const document = mediaType === JSON_PATCH ? jsonPatch(current, value) : mergePatch(current, value)
    const refused = (why: string): Error =>
      invalid({ group: '', kind: '', name: '' }, [field.invalid('patch', stringifyJson(document), why)])
    try {
      const { known, strict } = decodeStrictly(
        shapeOf(call.type, SCALE),
        document as KubeObject,
        { problems, isSorted: true },
        fieldValidation,
      )
      if (strict.length > 0 && fieldValidation === 'Strict') throw refused(`strict decoding error: ${strict.join(', ')}`)
      for (const text of strict) call.warn(text)
      assertName(call.info.name, known)
      return known
    } catch (error) {
      const why = decodeFault(error)
      throw why === undefined ? error : refused(why)
    }
  }
}

/** Built-in kinds are told before the object is looked at. */
const tooFew = (name: string, replicas: number): Error =>
  invalid({ ...SCALE, name }, [field.invalid('spec.replicas', replicas, 'must be greater than or equal to 0')])

function wantedReplicas(wanted: KubeObject, current: KubeObject, mapping: ScaleMapping): number {
  const given = isJsonObject(wanted['spec']) ? wanted['spec']['replicas'] : undefined
  const replicas = typeof given === 'number' ? given : 0
  if (given === undefined && !hasReplicas(current, mapping))
    throw badRequest(`the spec replicas field ${JSON.stringify(mapping.specReplicasPath)} cannot be empty`)
  return replicas
}
