import { addErrors, badRequest, field, type FieldError, getOwn, invalid, isJsonObject, type JsonObject, type Status } from '@weft/api'
import { deleteObject, type DeleteOptions, type ResourceType, type StoredObject } from '../../registry/index.ts'
import { goTypeOf, versionKindFault } from '../body/body.ts'
import { type ApiResponse, ok } from '../exchange.ts'
import { listBody } from './list.ts'
import { dryRunErrors, integer, parseListOptions } from '../options.ts'
import { SyntaxFault } from '../body/parsed.ts'
import { parsePayload, type Payload, readPayload } from '../body/payload.ts'
import { isTrue } from '../request-info.ts'
import { type ResourceRequest, writeContext } from '../resource-request.ts'

const POLICIES = ['Foreground', 'Background', 'Orphan']

export async function remove(call: ResourceRequest): Promise<ApiResponse> {
  const { options, dryRun } = await readDeleteOptions(call)
  const { stored, gone } = await deleteObject(call.services, deleteContext(call, options, dryRun), call.info.name, options)
  if (gone && call.type.deletion.answersObject !== true) return ok(deletedStatus(call.type, stored))
  return { status: !gone && options.orphanDependents === false ? 202 : 200, body: { kind: 'stored', stored } }
}

export async function removeCollection(call: ResourceRequest): Promise<ApiResponse> {
  const { options, dryRun } = await readDeleteOptions(call)
  const list = await listBody(call, parseListOptions(call.request.query, false))
  const context = deleteContext(call, options, dryRun)
  for (const { object } of list.items) {
    const { name = '', namespace = '' } = object.metadata
    try {
      await deleteObject(call.services, { ...context, namespace: call.type.namespaced ? namespace : '' }, name, options)
    } catch (error) {
      // Somebody else deleted it first: what was asked for is true.
      if ((error as { code?: number }).code !== 404) throw error
    }
  }
  return { status: 200, body: { kind: 'list', list } }
}

const deleteContext = (call: ResourceRequest, options: DeleteOptions, dryRun: boolean): ReturnType<typeof writeContext> => ({
  ...writeContext(call, { dryRun, manager: '' }, 'DeleteOptions'),
  options: { ...options, ...(dryRun && { dryRun: ['All'] }), kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' },
})

/** Options come in the body or, when that is empty, in the query. */
async function readDeleteOptions(call: ResourceRequest): Promise<{ options: DeleteOptions; dryRun: boolean }> {
  const payload = await readPayload(call.request)
  const given =
    payload.format !== 'object' && payload.bytes.length === 0 ? optionsInQuery(call.request.query) : optionsInBody(payload, call.type)
  const { dryRun = [], ...options } = given
  const errors: FieldError[] = []
  if (options.orphanDependents !== undefined && options.propagationPolicy !== undefined)
    errors.push(
      field.invalid('propagationPolicy', options.propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set'),
    )
  if (options.propagationPolicy !== undefined && !POLICIES.includes(options.propagationPolicy))
    errors.push(field.notSupported('propagationPolicy', options.propagationPolicy, [...POLICIES, 'nil']))
  addErrors(errors, dryRunErrors(dryRun))
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions', name: '' }, errors)
  return { options, dryRun: dryRun.length > 0 }
}

type GivenOptions = DeleteOptions & { readonly dryRun?: readonly string[] }

function optionsInQuery(query: URLSearchParams): GivenOptions {
  const policy = query.get('propagationPolicy')
  const grace = integer(query, 'gracePeriodSeconds')
  return {
    ...(policy !== null && { propagationPolicy: policy as 'Orphan' }),
    ...(query.has('orphanDependents') && { orphanDependents: isTrue(query.get('orphanDependents')) }),
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    dryRun: query.getAll('dryRun'),
  }
}

function optionsInBody(payload: Payload, type: ResourceType): GivenOptions {
  let value: unknown
  try {
    value = parsePayload(payload).value ?? {}
    if (!isJsonObject(value))
      throw new SyntaxFault(
        `json: cannot unmarshal ${goTypeOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
      )
  } catch (error) {
    if (error instanceof SyntaxFault) throw badRequest(versionKindFault(error, error.message))
    throw error
  }
  assertDeleteOptions(value, type)
  return typedOptions(value)
}

function assertDeleteOptions(value: JsonObject, { group }: ResourceType): void {
  for (const name of ['apiVersion', 'kind']) {
    const text = getOwn(value, name)
    if (text !== undefined && text !== null && typeof text !== 'string')
      throw badRequest(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${isJsonObject(text) ? 'object' : goTypeOf(text)} into Go struct field .${name} of type string`,
      )
  }
  const kind = (getOwn(value, 'kind') as string | null | undefined) ?? 'DeleteOptions'
  const apiVersion = (getOwn(value, 'apiVersion') as string | null | undefined) ?? 'v1'
  const known =
    kind === 'DeleteOptions' &&
    (apiVersion === 'v1' ||
      apiVersion === 'meta.k8s.io/v1' ||
      apiVersion.split('/')[0] === group ||
      /\.k8s\.io\/v|^(apps|batch|autoscaling|policy)\/v/.test(apiVersion))
  if (!known)
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    )
}

/** The body's fields, each of the type that it has in Go; null is the same as nothing. */
function typedOptions(body: JsonObject): GivenOptions {
  const read = <T>(name: string, goType: string, fits: (value: unknown) => boolean): { [key: string]: T } => {
    const value = getOwn(body, name)
    if (value === undefined || value === null) return {}
    if (!fits(value))
      throw badRequest(
        `json: cannot unmarshal ${isJsonObject(value) ? 'object' : goTypeOf(value)} into Go struct field DeleteOptions.${name} of type ${goType}`,
      )
    return { [name]: value as T }
  }
  const isText = (value: unknown): boolean => typeof value === 'string'
  return {
    ...read('propagationPolicy', 'v1.DeletionPropagation', isText),
    ...read('orphanDependents', 'bool', (value) => typeof value === 'boolean'),
    ...read('gracePeriodSeconds', 'int64', Number.isSafeInteger),
    ...read('preconditions', 'v1.Preconditions', isJsonObject),
    ...read('dryRun', '[]string', (value) => Array.isArray(value) && value.every(isText)),
  }
}

const deletedStatus = (type: ResourceType, { object }: StoredObject): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: {
    name: object.metadata.name ?? '',
    ...(type.group !== '' && { group: type.group }),
    kind: type.plural,
    ...(object.metadata.uid !== undefined && { uid: object.metadata.uid }),
  },
})
