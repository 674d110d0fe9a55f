import type { IncomingMessage } from 'node:http'
import { hashToken, roleOf, sameSecret } from '../accounts/account.ts'
import { CloudError } from '../resources/cloud-error.ts'
import type { Store } from '../state/store.ts'
import type { Verb } from '../../wire/admin.ts'

const VIEWER_VERBS: ReadonlySet<Verb> = new Set(['get', 'list'])

/**
 * 401 for somebody unknown, 403 for somebody known who may not do this here. An account that does not exist is answered like one
 * that belongs to others: who has no business there does not learn which exist.
 */
export function authorise(
  request: IncomingMessage,
  store: Store,
  { cloud, account, verb }: { cloud: string; account: string; verb: Verb },
): void {
  const token = bearerToken(request)
  const target = store.account(cloud, account)
  const role = target && roleOf(target, token)
  if (role === undefined) {
    if (![...store.accounts()].some((other) => roleOf(other, token) !== undefined)) throw unauthenticated('the bearer token is not valid')
    throw new CloudError('Forbidden', `the bearer token gives no access to ${cloud} account ${account}`)
  }
  if (role === 'viewer' && !VIEWER_VERBS.has(verb)) throw new CloudError('Forbidden', `a viewer may not ${WORDS[verb]}`)
}

const WORDS: Record<Verb, string> = {
  create: 'create resources',
  get: 'read resources',
  list: 'list resources',
  update: 'change resources',
  delete: 'delete resources',
  connection: 'read connection details',
  rotate: 'rotate credentials',
}

export function authoriseAdmin(request: IncomingMessage, adminTokenHash: string): void {
  if (!sameSecret(hashToken(bearerToken(request)), adminTokenHash)) throw unauthenticated('the bearer token is not the admin token')
}

function bearerToken(request: IncomingMessage): string {
  const [, token] = /^Bearer +([^\s]{1,4096})$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined) throw unauthenticated('the request needs a bearer token')
  return token
}

const unauthenticated = (message: string): CloudError => new CloudError('Unauthenticated', message)
