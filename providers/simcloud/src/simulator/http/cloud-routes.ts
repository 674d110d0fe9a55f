import { setTimeout as delay } from 'node:timers/promises'
import { getOwn, isJsonObject, type JsonObject } from '@weft/api'
import type { IncomingMessage } from 'node:http'
import type { FaultEffect, Verb } from '../../wire/admin.ts'
import { CLIENT_TOKEN, type ResourcePage } from '../../wire/resource.ts'
import type { FaultInjector } from '../faults/injector.ts'
import { CloudError } from '../resources/cloud-error.ts'
import type { OperationFault, SimulatedCloud } from '../resources/simulated-cloud.ts'
import { type StoredResource, toWire } from '../resources/stored-resource.ts'
import type { Store } from '../state/store.ts'
import type { Answer } from './answer.ts'
import { authorise } from './authenticate.ts'
import { readObject } from './body.ts'

export interface CloudContext {
  readonly cloud: SimulatedCloud
  readonly store: Store
  readonly faults: FaultInjector
}

interface Target {
  readonly cloud: string
  readonly account: string
  readonly kind: string
  readonly name?: string
  readonly verb: Verb
}

/** `/v1/{cloud}/{account}/{kind}[/{name}[/connection]]`. `path` is what follows `/v1`, already split and decoded. */
export async function cloudRoute(
  context: CloudContext,
  request: IncomingMessage,
  path: readonly string[],
  query: URLSearchParams,
): Promise<Answer> {
  const target = targetOf(request.method ?? 'GET', path)
  authorise(request, context.store, target)
  // Read before anything is held up: a request whose caller has gone is carried out all the same, as a real service would.
  const parameters = target.verb === 'create' || target.verb === 'update' ? await readParameters(request) : {}
  const effect = context.faults.strike(target)
  await before(effect)
  const answer = perform(context, { request, target, query, parameters }, operationFault(effect))
  await context.store.durable()
  return effect?.type === 'loseAnswer' ? { lost: true } : answer
}

const ITEM_VERBS: Readonly<Record<string, Verb>> = { POST: 'create', GET: 'get', PATCH: 'update', DELETE: 'delete' }
const CONNECTION_VERBS: Readonly<Record<string, Verb>> = { GET: 'connection', POST: 'rotate' }
const NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/

function targetOf(method: string, path: readonly string[]): Target {
  const [cloud = '', account = '', kind = '', name, sub] = path
  if (path.length < 3 || path.length > 5 || (sub !== undefined && sub !== 'connection'))
    throw new CloudError('NotFound', 'there is nothing at this path; resources are at /v1/{cloud}/{account}/{kind}/{name}')
  const verbs = name === undefined ? { GET: 'list' as const } : sub === undefined ? ITEM_VERBS : CONNECTION_VERBS
  const verb = getOwn(verbs, method) as Verb | undefined
  if (verb === undefined) throw new CloudError('MethodNotAllowed', `${method} is not possible here`)
  if (!NAME.test(account))
    throw new CloudError('Invalid', `${JSON.stringify(account)} is not an account: letters, digits, dots, dashes and underscores`)
  if (name !== undefined && !NAME.test(name))
    throw new CloudError(
      'Invalid',
      `${JSON.stringify(name)} is not a name: letters, digits, dots, dashes and underscores, with a letter or digit at both ends`,
    )
  return { cloud, account, kind, verb, ...(name !== undefined && { name }) }
}

/** What a fault does before the request is carried out. */
async function before(effect: FaultEffect | undefined): Promise<void> {
  switch (effect?.type) {
    case 'fail':
      throw new CloudError(
        effect.status === 500 ? 'Internal' : 'Unavailable',
        effect.message ?? 'the service is not available (injected fault)',
      )
    case 'throttle':
      throw new CloudError('Throttled', 'too many requests (injected fault)', { retryAfterSeconds: effect.retryAfterSeconds ?? 1 })
    case 'hang':
      await delay(effect.millis, undefined, { ref: false })
      break
    default:
  }
}

function operationFault(effect: FaultEffect | undefined): OperationFault | undefined {
  if (effect?.type === 'stall') return { stallMillis: effect.millis ?? null }
  if (effect?.type === 'failOperation') return { failWith: effect.message ?? 'the operation failed (injected fault)' }
  return undefined
}

interface Input {
  readonly request: IncomingMessage
  readonly target: Target
  readonly query: URLSearchParams
  readonly parameters: JsonObject
}

function perform({ cloud }: CloudContext, { request, target, query, parameters }: Input, fault?: OperationFault): Answer {
  const { verb, name = '' } = target
  const key = { cloud: target.cloud, account: target.account, kind: target.kind, name }
  switch (verb) {
    case 'list':
      return { status: 200, body: page(cloud, target, query) }
    case 'get':
      return resourceAnswer(200, cloud.get(key))
    case 'create': {
      const { resource, created } = cloud.create({ ...key, parameters, clientToken: clientToken(request) }, fault)
      return resourceAnswer(created ? 201 : 200, resource, { connection: cloud.connection(resource) })
    }
    case 'update':
      return resourceAnswer(200, cloud.update(key, parameters, ifMatch(request), fault))
    case 'delete':
      return resourceAnswer(202, cloud.delete(key, ifMatch(request), fault))
    case 'connection':
      return { status: 200, body: { connection: cloud.connection(cloud.get(key)) } }
    case 'rotate':
      return { status: 200, body: { connection: cloud.connection(cloud.rotate(key)) } }
  }
}

const resourceAnswer = (status: number, resource: StoredResource, more: object = {}): Answer => ({
  status,
  body: { ...toWire(resource), ...more },
  headers: { etag: `"${resource.generation}"` },
})

const DEFAULT_PAGE = 500
const MAX_PAGE = 1_000

function page(cloud: SimulatedCloud, target: Target, query: URLSearchParams): ResourcePage {
  const limit = query.has('limit') ? Number(query.get('limit')) : DEFAULT_PAGE
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE)
    throw new CloudError('Invalid', `limit must be a whole number from 1 to ${MAX_PAGE}`)
  const { items, more } = cloud.list(target.cloud, target.account, target.kind, { after: query.get('pageToken') ?? '', limit })
  const last = items.at(-1)?.name
  return { items: items.map(toWire), ...(more && last !== undefined && { nextPageToken: last }) }
}

async function readParameters(request: IncomingMessage): Promise<JsonObject> {
  const body = await readObject(request)
  const unknown = Object.keys(body).find((key) => key !== 'parameters')
  if (unknown !== undefined) throw new CloudError('Invalid', `the body may have parameters only, not ${unknown}`)
  const parameters = getOwn(body, 'parameters')
  if (!isJsonObject(parameters)) throw new CloudError('Invalid', 'the body must have parameters, and they must be an object')
  return parameters
}

function clientToken(request: IncomingMessage): string | undefined {
  const token = request.headers[CLIENT_TOKEN]
  if (token === undefined) return undefined
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(token))
    throw new CloudError('Invalid', `${CLIENT_TOKEN} must be 1 to 128 printable characters`)
  return token
}

function ifMatch(request: IncomingMessage): number | undefined {
  const header = request.headers['if-match']
  if (header === undefined || header === '*') return undefined
  const [, generation] = /^"(\d{1,15})"$/.exec(header) ?? []
  if (generation === undefined) throw new CloudError('Invalid', 'if-match must be a generation in quotes')
  return Number(generation)
}
