import { failure, isJsonObject, type Status, StatusError, type StatusReason } from '@weft/api'

/**
 * No answer came. It is a StatusError (503) so that callers need one kind of error only; `mayHaveTakenEffect` says
 * whether the server can have seen the request.
 */
export class ConnectionError extends StatusError {
  readonly mayHaveTakenEffect: boolean

  constructor(message: string, options: { readonly mayHaveTakenEffect: boolean; readonly cause?: unknown }) {
    const status: Status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: 'ServiceUnavailable',
      code: 503,
    }
    super(status, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ConnectionError'
    this.mayHaveTakenEffect = options.mayHaveTakenEffect
  }
}

/** The server does not serve this kind (yet, or no longer). Not a NotFound: nothing is known about any object of it. */
export class NoMatchError extends Error {
  readonly group: string
  readonly kind: string

  constructor(
    { group, version, kind }: { readonly group: string; readonly version?: string | undefined; readonly kind: string },
    options?: ErrorOptions,
  ) {
    const where =
      version === undefined || version === ''
        ? group === ''
          ? 'the core group'
          : `group "${group}"`
        : `version "${group === '' ? version : `${group}/${version}`}"`
    super(`no matches for kind "${kind}" in ${where}`, options)
    this.name = 'NoMatchError'
    this.group = group
    this.kind = kind
  }
}

const UNEXPECTED = 'UnexpectedServerResponse'

/** The StatusError of a failed answer: the Status in its body, or what its HTTP status says. */
export function statusErrorOf(code: number, body: unknown, retryAfterSeconds?: number): StatusError {
  if (isStatus(body)) return new StatusError(body.code === undefined ? { ...body, code } : body)
  const text = typeof body === 'string' ? body.trim() : ''
  return failure({
    code,
    reason: reasonOf(code),
    message: messageOf(code, text),
    details: {
      causes: [{ reason: UNEXPECTED, message: text === '' ? 'unknown' : text }],
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
  })
}

/** Did the server not know the resource itself? It says so without a Status ("404 page not found"), unlike for a missing object. */
export function isUnknownResource(error: unknown): boolean {
  if (!(error instanceof StatusError) || error.code !== 404) return false
  const { details } = error.status
  return (details?.causes ?? []).some(({ reason }) => reason === UNEXPECTED)
}

const isStatus = (body: unknown): body is Status => isJsonObject(body) && body['kind'] === 'Status' && body['status'] === 'Failure'

function messageOf(code: number, text: string): string {
  if (code === 404) return 'the server could not find the requested resource'
  return text === '' ? `the server answered ${code}` : `the server answered ${code}: ${text.slice(0, 2048)}`
}

const REASONS: Readonly<Record<number, StatusReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

const reasonOf = (code: number): StatusReason => REASONS[code] ?? (code >= 500 ? 'InternalError' : '')
