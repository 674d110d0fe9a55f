import { badRequest, field, type FieldRequirement, invalid, type LabelRequirement, parseFieldSelector, parseLabelSelector, SelectorError } from '@weft/api'
import { isTrue } from './request-info.ts'

/** The query parameters of a request, checked. Every bad value is a 400 that names the parameter. */
export interface WriteOptions {
  readonly dryRun: boolean
  readonly manager: string
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  readonly force: boolean
}

export function parseWriteOptions(query: URLSearchParams, userAgent: string | undefined, kind: string): WriteOptions {
  const dryRuns = query.getAll('dryRun').filter((v) => v !== '')
  const errors = dryRuns.filter((v) => v !== 'All').map((v) => field.notSupported('dryRun', v, ['All']))
  const validation = query.get('fieldValidation') || 'Warn'
  if (validation !== 'Ignore' && validation !== 'Warn' && validation !== 'Strict') errors.push(field.notSupported('fieldValidation', validation, ['', 'Ignore', 'Warn', 'Strict']))
  const manager = query.get('fieldManager') ?? ''
  if (manager.length > 128) errors.push(field.tooLong('fieldManager', 128))
  else if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(manager)) errors.push(field.invalid('fieldManager', manager, 'should only contain printable characters'))
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind, name: '' }, errors)
  return {
    dryRun: dryRuns.length > 0,
    manager: manager === '' ? managerFromUserAgent(userAgent) : manager,
    fieldValidation: validation as 'Ignore' | 'Warn' | 'Strict',
    force: query.has('force') && isTrue(query.get('force')),
  }
}

/** Kubernetes names an unnamed manager after its program: the user agent up to the first slash. */
function managerFromUserAgent(userAgent: string | undefined): string {
  return (userAgent ?? '').split('/', 1)[0]?.slice(0, 128) || 'unknown'
}

export interface ListOptions {
  readonly labels: readonly LabelRequirement[]
  readonly fields: readonly FieldRequirement[]
  readonly limit: number
  readonly continueToken: string
  readonly resourceVersion: string
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan'
  readonly sendInitialEvents: boolean | undefined
  readonly allowWatchBookmarks: boolean
  readonly timeoutSeconds: number | undefined
}

export function parseListOptions(query: URLSearchParams, watching: boolean): ListOptions {
  const options: ListOptions = {
    labels: selector(() => parseLabelSelector(query.get('labelSelector') ?? '')),
    fields: selector(() => parseFieldSelector(query.get('fieldSelector') ?? '')),
    limit: integer(query, 'limit') ?? 0,
    continueToken: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: (query.get('resourceVersionMatch') ?? '') as ListOptions['resourceVersionMatch'],
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined,
    allowWatchBookmarks: query.has('allowWatchBookmarks') && isTrue(query.get('allowWatchBookmarks')),
    timeoutSeconds: integer(query, 'timeoutSeconds'),
  }
  const errors = watching ? watchOptionErrors(options) : listOptionErrors(options)
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions', name: '' }, errors)
  if (options.resourceVersion !== '' && !/^\d+$/.test(options.resourceVersion))
    throw badRequest(`invalid resource version "${options.resourceVersion}": strconv.ParseUint: parsing "${options.resourceVersion}": invalid syntax`)
  return options
}

function listOptionErrors({ resourceVersion, resourceVersionMatch: match, continueToken, sendInitialEvents }: ListOptions): ReturnType<typeof field.forbidden>[] {
  const errors = []
  if (match !== '') {
    if (resourceVersion === '') errors.push(field.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided'))
    if (continueToken !== '') errors.push(field.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'))
    if (match !== 'Exact' && match !== 'NotOlderThan') errors.push(field.notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']))
    if (match === 'Exact' && resourceVersion === '0')
      errors.push(field.forbidden('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
  }
  if (sendInitialEvents !== undefined) errors.push(field.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  return errors
}

function watchOptionErrors({ resourceVersionMatch: match, sendInitialEvents, continueToken }: ListOptions): ReturnType<typeof field.forbidden>[] {
  const errors = []
  if (sendInitialEvents !== undefined && match === '')
    errors.push(field.forbidden('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'))
  if (match !== '' && sendInitialEvents === undefined) errors.push(field.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'))
  if (match !== '' && match !== 'NotOlderThan') errors.push(field.notSupported('resourceVersionMatch', match, ['NotOlderThan']))
  if (continueToken !== '') errors.push(field.forbidden('continue', 'continue is forbidden for watch'))
  return errors
}

function selector<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message)
    throw error
  }
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^-?\d{1,18}$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax (in query parameter ${name})`)
  return Number(text)
}
