import { badRequest, expired, failure, formatGroupVersion, jsonSyntaxError } from '@weft/api'
import { CompactedError, DEFAULT_COMPACTION } from '../../storage/index.ts'
import { longWork, scanPrefix, type StoredObject, viewsOf } from '../../registry/index.ts'
import type { ApiResponse, ListBody } from '../exchange.ts'
import { filterOf, nameIn } from './filter.ts'
import { tooLargeResourceVersion } from './get.ts'
import { type ListOptions, parseListOptions, versionFault } from '../options.ts'
import type { ResourceRequest } from '../resource-request.ts'

/** How long a list waits for a resourceVersion that this server has not reached. */
const FUTURE_VERSION_WAIT_MS = 3000

export async function listObjects(call: ResourceRequest): Promise<ApiResponse> {
  const options = parseListOptions(call.request.query, false)
  return { status: 200, body: { kind: 'list', list: await listBody(call, options) } }
}

export async function listBody(call: ResourceRequest, options: ListOptions): Promise<ListBody> {
  const { type, info, services, visible } = call
  const filter = filterOf(type, options)
  const position = positionOf(options)
  const begunAt = position.begunAt ?? Date.now()
  const store = services.catalog.store(type)
  if (position.revision > store.revision) await awaitRevision(call, position.revision)
  const revision = position.exact ? position.revision : store.revision
  const prefix = scanPrefix(type, info.namespace)
  const name = nameIn(options.fields)
  const start = position.start === undefined ? undefined : prefix + position.start
  if (Date.now() - begunAt > TOKEN_AGE_MS) throw expiredToken(prefix, start)
  // Unless this resource changed since then, its live state is the state at that revision.
  if (visible !== undefined && position.exact && visible.since > revision) throw goneState(options, prefix, start)
  const past = position.exact && store.changedAt > revision ? scanAt(call, revision, prefix, start, options) : undefined
  const selects = filter !== undefined || name !== undefined
  const wanted = options.limit > 0 && !selects && visible === undefined ? options.limit : undefined
  const found = past ?? store.scan(prefix, start, wanted)
  // Before anything is counted.
  const scanned = visible === undefined ? found : found.filter((stored) => visible.has(stored))
  const total = past !== undefined || wanted === undefined ? scanned.length : store.count(prefix, start)
  const page: StoredObject[] = []
  let more = false
  let read = 0
  // Selectors look at the object in the requested version: conversion may move the fields they name.
  const candidates = filter === undefined ? scanned : await viewsOf(type, scanned)
  for (const stored of candidates) {
    // Whether anything that is left matches is for the next page to find out.
    if (options.limit > 0 && page.length >= options.limit) {
      // There is one object of a name.
      more = name === undefined || (type.namespaced && !info.scoped)
      break
    }
    if (name !== undefined && !stored.key.endsWith(`/${name}`)) continue
    if (filter !== undefined) {
      read += stored.weight
      if (longWork.isLong(read)) {
        read = 0
        await longWork.turn()
      }
      if (!filter(stored.object)) continue
    }
    page.push(stored)
  }
  const remaining = selects ? 0 : total - page.length
  more ||= remaining > 0
  const items = filter === undefined ? await viewsOf(type, page) : page
  const last = page.at(-1)
  return {
    apiVersion: formatGroupVersion(type),
    kind: type.listKind,
    ...(!type.custom && { itemKind: type.kind }),
    metadata: {
      resourceVersion: String(revision),
      ...(type.custom && { continue: '' }),
      ...(more && last !== undefined && { continue: encodeContinue(revision, continueKey(prefix, last.key), begunAt) }),
      ...(remaining > 0 && { remainingItemCount: remaining }),
    },
    items,
  }
}

interface Position {
  readonly revision: number
  readonly exact: boolean
  /** Key below the scan's prefix to start from. */
  readonly start?: string
  /** When the first page of this list was read. */
  readonly begunAt?: number
}

function positionOf({ continueToken, resourceVersion, resourceVersionMatch: match, limit }: ListOptions): Position {
  if (continueToken !== '') {
    if (resourceVersion !== '' && resourceVersion !== '0')
      throw badRequest('specifying resource version is not allowed when using continue')
    return decodeContinue(continueToken)
  }
  const why = resourceVersion === '' ? undefined : versionFault(resourceVersion)
  if (why !== undefined)
    throw badRequest(`invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: ${why}`)
  const revision = Number(resourceVersion || 0)
  const exact = match === 'Exact' || (match === '' && limit > 0 && revision > 0)
  return { revision, exact }
}

function scanAt(
  call: ResourceRequest,
  revision: number,
  prefix: string,
  start: string | undefined,
  options: ListOptions,
): readonly StoredObject[] {
  try {
    return [...call.services.catalog.store(call.type).scanAt(revision, prefix, start)]
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error
    throw goneState(options, prefix, start, error)
  }
}

/** The state that a list asks for is not there any more, or not for this user: rights that were given since are no rights to what was before. */
function goneState({ continueToken }: ListOptions, prefix: string, start: string | undefined, cause?: unknown): Error {
  if (continueToken === '') return expired(`The resourceVersion for the provided list is too old.`)
  return expiredToken(prefix, start, cause)
}

/** Also where nothing changed meanwhile, and the list could still be told: clients that count on the end of a token see it, as with kube-apiserver. */
const TOKEN_AGE_MS = DEFAULT_COMPACTION.maxAgeMs

function expiredToken(prefix: string, start: string | undefined, cause?: unknown): Error {
  const fresh = encodeContinue(-1, continueKey(prefix, (start ?? prefix).replace(/\0$/, '')))
  const message =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'
  return failure({ code: 410, reason: 'Expired', message, cause, continueToken: fresh })
}

/** Waits a little for a revision from the future, then answers 504. */
export async function awaitRevision(call: ResourceRequest, revision: number): Promise<void> {
  const store = call.services.catalog.store(call.type)
  if (!(await store.reached(revision, FUTURE_VERSION_WAIT_MS))) throw tooLargeResourceVersion(revision, store.revision)
}

/** kube-apiserver's own token, so that a client moves freely: the revision, and the key after which to go on. `at` is ours, which it passes over. */
const encodeContinue = (revision: number, lastKey: string, at?: number): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${lastKey}\u0000`, at })).toString('base64url')

/** The key begins with a slash since Kubernetes 1.33 or so; tokens without one are read too. */
const continueKey = (prefix: string, key: string): string => `/${key.slice(prefix.length)}`

function decodeContinue(token: string): Position {
  const { v, rv, start, at } = parseContinue(token)
  if (v !== 'meta.k8s.io/v1') throw invalidContinue(`server does not recognize this encoded version ${String(v)}`)
  if (rv === 0) throw invalidContinue('incorrect encoded start resourceVersion (version meta.k8s.io/v1)')
  if (start === '') throw invalidContinue('encoded start key empty (version meta.k8s.io/v1)')
  const key = start.replace(/^\//, '')
  if (key.split('/').some((part) => part === '..' || part === '.' || part === '')) throw invalidContinue(start)
  const begun = at === undefined ? {} : { begunAt: at }
  return rv < 0 ? { revision: 0, exact: false, start: key, ...begun } : { revision: rv, exact: true, start: key, ...begun }
}

function parseContinue(token: string): {
  readonly v: string
  readonly rv: number
  readonly start: string
  readonly at: number | undefined
} {
  const bad = /[^A-Za-z0-9_-]/.exec(token)
  if (bad !== null || token.length % 4 === 1) throw invalidContinue(`illegal base64 data at input byte ${bad?.index ?? token.length - 1}`)
  const bytes = Buffer.from(token, 'base64url')
  let decoded: { v?: unknown; rv?: unknown; start?: unknown; at?: unknown } | null
  try {
    decoded = JSON.parse(bytes.toString()) as typeof decoded
  } catch {
    throw invalidContinue(jsonSyntaxError(bytes))
  }
  const { v = '', rv = 0, start = '', at } = decoded ?? {}
  if (typeof v !== 'string' || typeof start !== 'string' || !Number.isSafeInteger(rv))
    throw invalidContinue('json: cannot unmarshal the token')
  return { v, rv: rv as number, start, at: typeof at === 'number' ? at : undefined }
}

const invalidContinue = (why: string): Error => badRequest(`invalid continue token: continue key is not valid: ${why}`)
