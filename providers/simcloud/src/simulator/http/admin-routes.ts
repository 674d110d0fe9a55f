import type { IncomingMessage } from 'node:http'
import { DataFileError, DataNode } from '../../catalogue/data-node.ts'
import type { ResourceInventory } from '../../wire/admin.ts'
import { accountOf } from '../accounts/account.ts'
import { CloudError } from '../resources/cloud-error.ts'
import { toWire } from '../resources/stored-resource.ts'
import { readAccountSettings, readDrift, readFault } from './admin-input.ts'
import type { Answer } from './answer.ts'
import { authoriseAdmin } from './authenticate.ts'
import { readObject } from './body.ts'
import type { CloudContext } from './cloud-routes.ts'

export interface AdminContext extends CloudContext {
  readonly adminTokenHash: string
}

/** `/admin/...`: for whoever runs the simulator, and for tests. `path` is what follows `/admin`, already split and decoded. */
export async function adminRoute(
  context: AdminContext,
  request: IncomingMessage,
  path: readonly string[],
  query: URLSearchParams,
): Promise<Answer> {
  authoriseAdmin(request, context.adminTokenHash)
  const [area, ...rest] = path
  const answer = await routeArea(context, request, area ?? '', rest, query)
  await context.store.durable()
  return answer
}

function routeArea(
  context: AdminContext,
  request: IncomingMessage,
  area: string,
  rest: readonly string[],
  query: URLSearchParams,
): Answer | Promise<Answer> {
  switch (area) {
    case 'accounts':
      return accounts(context, request, rest)
    case 'faults':
      return faults(context, request, rest)
    case 'resources':
      return rest.length === 0 ? inventory(context, request, query) : oneResource(context, request, rest)
    default:
      throw new CloudError('NotFound', 'there is nothing at this path; known: /admin/accounts, /admin/faults, /admin/resources')
  }
}

async function accounts({ store }: AdminContext, request: IncomingMessage, rest: readonly string[]): Promise<Answer> {
  if (rest.length === 0 && request.method === 'GET') {
    const items = [...store.accounts()].map(({ cloud, account, tokens, quotas }) => ({ cloud, account, tokens: tokens.length, quotas }))
    return { status: 200, body: { items } }
  }
  const [cloud, account] = rest
  if (cloud === undefined || account === undefined || rest.length > 2)
    throw new CloudError('NotFound', 'accounts are at /admin/accounts/{cloud}/{account}')
  if (request.method !== 'PUT') throw notAllowed(request)
  store.putAccount(accountOf(cloud, account, await input(request, readAccountSettings)))
  return { status: 204 }
}

async function faults({ faults, cloud }: AdminContext, request: IncomingMessage, rest: readonly string[]): Promise<Answer> {
  const [id] = rest
  switch (request.method) {
    case 'GET':
      return { status: 200, body: { items: faults.list() } }
    case 'POST':
      return { status: 201, body: faults.add(await input(request, readFault)) }
    case 'DELETE':
      if (id === undefined) faults.clear()
      else if (!faults.remove(id)) throw new CloudError('NotFound', `there is no fault ${id}`)
      cloud.releaseStalled()
      return { status: 204 }
    default:
      throw notAllowed(request)
  }
}

function inventory({ cloud }: AdminContext, request: IncomingMessage, query: URLSearchParams): Answer {
  if (request.method !== 'GET') throw notAllowed(request)
  const wanted = (['cloud', 'account', 'kind'] as const).filter((trait) => query.has(trait))
  const items = cloud.all().filter((resource) => wanted.every((trait) => resource[trait] === query.get(trait)))
  const byKind = new Map<string, number>()
  for (const resource of items) {
    const key = `${resource.cloud}/${resource.account}/${resource.kind}`
    byKind.set(key, (byKind.get(key) ?? 0) + 1)
  }
  const body: ResourceInventory = { count: items.length, byKind: Object.fromEntries(byKind), items: items.map(toWire) }
  return { status: 200, body }
}

async function oneResource({ cloud }: AdminContext, request: IncomingMessage, rest: readonly string[]): Promise<Answer> {
  const [cloudName, account, kind, name] = rest
  if (cloudName === undefined || account === undefined || kind === undefined || name === undefined || rest.length > 4)
    throw new CloudError('NotFound', 'resources are at /admin/resources/{cloud}/{account}/{kind}/{name}')
  const key = { cloud: cloudName, account, kind, name }
  switch (request.method) {
    case 'PATCH':
      return { status: 200, body: toWire(cloud.drift(key, await input(request, readDrift))) }
    case 'DELETE':
      cloud.vanish(key)
      return { status: 204 }
    default:
      throw notAllowed(request)
  }
}

const notAllowed = (request: IncomingMessage): CloudError => new CloudError('MethodNotAllowed', `${request.method} is not possible here`)

/** Reads a body with the readers of data files; what they find wrong is the caller's mistake. */
async function input<T>(request: IncomingMessage, read: (node: DataNode) => T): Promise<T> {
  const body = await readObject(request)
  try {
    return read(new DataNode('the body', '', body))
  } catch (error) {
    if (error instanceof DataFileError)
      throw new CloudError('Invalid', error.message, { fields: [{ field: error.path, message: error.why }] })
    throw error
  }
}
