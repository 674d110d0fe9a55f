import {
  badRequest,
  field,
  type FieldError,
  type FieldRequirement,
  invalid,
  type LabelRequirement,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from '@weft/api'
import { isTrue } from './request-info.ts'

/** The query parameters of a request, checked. */
export interface WriteOptions {
  readonly dryRun: boolean
  readonly manager: string
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  readonly force: boolean
}

/** `kind` is the name of the options in messages. `more` adds what only one verb checks. */
export function parseWriteOptions(
  query: URLSearchParams,
  userAgent: string | undefined,
  kind: string,
  more: readonly FieldError[] = [],
): WriteOptions {
  const dryRuns = query.getAll('dryRun')
  const validation = query.get('fieldValidation') || 'Warn'
  const manager = query.get('fieldManager') ?? ''
  const errors = [...more, ...managerErrors(manager), ...dryRunErrors(dryRuns)]
  if (validation !== 'Ignore' && validation !== 'Warn' && validation !== 'Strict')
    errors.push(field.notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']))
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind, name: '' }, errors)
  return {
    dryRun: dryRuns.length > 0,
    manager: manager === '' ? managerFromUserAgent(userAgent) : manager,
    fieldValidation: validation as 'Ignore' | 'Warn' | 'Strict',
    force: isTrue(query.get('force')),
  }
}

export const dryRunErrors = (values: readonly unknown[]): FieldError[] =>
  values.every((v) => v === 'All') ? [] : [field.notSupported('dryRun', values, ['All'])]

function managerErrors(manager: string): FieldError[] {
  const errors = Buffer.byteLength(manager) > 128 ? [field.tooLong('fieldManager', 128)] : []
  let at = 0
  for (const c of manager) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(c))
      errors.push(
        field.invalid(
          'fieldManager',
          manager,
          `invalid character U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} (at position ${at})`,
        ),
      )
    at += Buffer.byteLength(c)
  }
  return errors
}

/** Kubernetes names an unnamed manager after its program: the printable part of the user agent up to the first slash. */
function managerFromUserAgent(userAgent: string | undefined): string {
  const name = (userAgent ?? '').split('/', 1)[0] ?? ''
  return name.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '').slice(0, 128) || 'unknown'
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
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeoutSeconds: integer(query, 'timeoutSeconds'),
  }
  const errors = watching ? watchOptionErrors(options) : listOptionErrors(options)
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions', name: '' }, errors)
  return options
}

function listOptionErrors({ resourceVersion, resourceVersionMatch: match, continueToken, sendInitialEvents }: ListOptions): FieldError[] {
  const errors = []
  if (match !== '') {
    if (resourceVersion === '')
      errors.push(field.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided'))
    if (continueToken !== '')
      errors.push(field.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'))
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(field.notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']))
    if (match === 'Exact' && resourceVersion === '0')
      errors.push(field.forbidden('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
  }
  if (sendInitialEvents !== undefined) errors.push(field.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  return errors
}

function watchOptionErrors({ resourceVersionMatch: match, sendInitialEvents, continueToken }: ListOptions): FieldError[] {
  const errors = []
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan')
    errors.push(field.forbidden('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'))
  if (match !== '') {
    if (sendInitialEvents === undefined)
      errors.push(
        field.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      )
    if (match !== 'NotOlderThan') errors.push(field.notSupported('resourceVersionMatch', match, ['NotOlderThan']))
  }
  if (continueToken !== '')
    errors.push(field.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'))
  return errors
}

/** What Go says of text that is no version; undefined when it is one. */
export const versionFault = (version: string): string | undefined =>
  /^\d+$/.test(version) ? undefined : `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`

function selector<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message)
    throw error
  }
}

export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^[-+]?\d{1,18}$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  return Number(text)
}
