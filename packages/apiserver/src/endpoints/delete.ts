import { badRequest, field, invalid, isJsonObject, type Status } from '@weft/api'
import { deleteObject, type DeleteOptions, type ResourceType, type StoredObject } from '../registry/index.ts'
import { readBody } from './body.ts'
import { type ApiResponse, ok } from './exchange.ts'
import { listBody } from './list.ts'
import { parseListOptions, parseWriteOptions } from './options.ts'
import { type ResourceRequest, writeContext } from './resource-request.ts'

const POLICIES = ['Orphan', 'Background', 'Foreground']

export async function remove(call: ResourceRequest): Promise<ApiResponse> {
  const { options, dryRun } = await readDeleteOptions(call)
  const context = { ...writeContext(call, { dryRun, manager: '' }, 'DeleteOptions'), options: { ...options, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' } }
  const { stored, gone } = await deleteObject(call.services, context, call.info.name, options)
  return gone ? ok(deletedStatus(call.type, stored)) : { status: 200, body: { kind: 'stored', stored } }
}

export async function removeCollection(call: ResourceRequest): Promise<ApiResponse> {
  const { options, dryRun } = await readDeleteOptions(call)
  const list = await listBody(call, parseListOptions(withoutContinue(call.request.query), false))
  const context = { ...writeContext(call, { dryRun, manager: '' }, 'DeleteOptions'), options: { ...options, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' } }
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

/** Options come in the body or, for old clients, in the query; both at once is fine as long as one is empty. */
async function readDeleteOptions(call: ResourceRequest): Promise<{ options: DeleteOptions; dryRun: boolean }> {
  const { query } = call.request
  const fromQuery = parseWriteOptions(query, undefined, 'DeleteOptions')
  const { value } = await readBody(call.request)
  const body = value === undefined || value === null ? {} : value
  if (!isJsonObject(body)) throw badRequest('the body of a DELETE must be a DeleteOptions object')
  const grace = query.get('gracePeriodSeconds')
  const options = {
    ...body,
    ...(query.has('propagationPolicy') && { propagationPolicy: query.get('propagationPolicy') }),
    ...(query.has('orphanDependents') && { orphanDependents: query.get('orphanDependents') === 'true' }),
    ...(grace !== null && { gracePeriodSeconds: Number(grace) }),
  } as DeleteOptions & { dryRun?: readonly string[] }
  const errors = []
  if (options.propagationPolicy !== undefined && options.propagationPolicy !== null && !POLICIES.includes(options.propagationPolicy))
    errors.push(field.notSupported('propagationPolicy', options.propagationPolicy, [...POLICIES, '']))
  if (options.orphanDependents !== undefined && options.propagationPolicy !== undefined)
    errors.push(field.invalid('propagationPolicy', options.propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set'))
  for (const value of options.dryRun ?? []) if (value !== 'All') errors.push(field.notSupported('dryRun', value, ['All']))
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions', name: '' }, errors)
  return { options, dryRun: fromQuery.dryRun || (options.dryRun ?? []).length > 0 }
}

function withoutContinue(query: URLSearchParams): URLSearchParams {
  const copy = new URLSearchParams(query)
  copy.delete('dryRun')
  return copy
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

