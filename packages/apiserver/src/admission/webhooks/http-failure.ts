import { goQuote, isJsonObject, JsonSyntaxError, parseJson } from '@weft/api'
import type { Endpoint } from './endpoint.ts'

/** A webhook could not be asked, or what it said is no answer. The message is the one kube-apiserver gives. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly code = 'HttpFailure'
}

/** Failures to connect, in the words that operators of Kubernetes know. */
export function describeFailure(error: unknown, { origin, host }: Pick<Endpoint, 'origin' | 'host'>): string {
  const cause = rootOf(error)
  const target = new URL(origin)
  const address = `${cause.address ?? target.hostname}:${cause.port ?? (target.port || '443')}`
  switch (cause.code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address}: connect: connection refused`
    case 'ECONNRESET':
      return 'read: connection reset by peer'
    case 'EHOSTUNREACH':
      return `dial tcp ${address}: connect: no route to host`
    case 'ENOTFOUND':
      return `dial tcp: lookup ${target.hostname}: no such host`
    case 'UND_ERR_SOCKET':
      return 'EOF'
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_SIGNATURE_FAILURE':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: certificate is not valid for ${host ?? target.hostname}: ${cause.message}`
    default:
      return cause.message
  }
}

interface Cause {
  readonly message: string
  readonly code?: string
  readonly address?: string
  readonly port?: number
}

/** What several attempts to connect have in common, and what wrappers wrap. */
function rootOf(error: unknown): Cause {
  let current = error
  while (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0] as unknown
  return current instanceof Error ? current : { message: String(current) }
}

/** What an HTTP status means for a caller that wanted an object. A Status in the body speaks for itself. */
export function statusFailure(code: number, text: string, contentType: string): HttpFailure {
  const told = statusMessage(text)
  if (told !== undefined) return new HttpFailure(told)
  const body = contentType.startsWith('text/') ? text.trim().slice(0, 2048) : 'unknown'
  return new HttpFailure(
    KNOWN[code]?.(body) ??
      (code >= 500
        ? `an error on the server (${goQuote(body)}) has prevented the request from succeeding`
        : `the server responded with the status code ${code} but did not return more information`),
  )
}

const KNOWN: Readonly<Record<number, (body: string) => string>> = {
  400: () => 'the server rejected our request for an unknown reason',
  401: () => 'the server has asked for the client to provide credentials',
  403: (body) => body,
  404: () => 'the server could not find the requested resource',
  405: () => 'the server does not allow this method on the requested resource',
  406: (body) =>
    body === '' || body === 'unknown' ? 'the server was unable to respond with a content type that the client supports' : body,
  409: () => 'the server reported a conflict',
  415: (body) => body,
  422: () => 'the server rejected our request due to an error in our request',
  429: () => 'the server has received too many requests and has asked us to try again later',
  503: () => 'the server is currently unable to handle the request',
  504: () => 'the server was unable to return a response in the time allotted, but may still be processing the request',
}

function statusMessage(text: string): string | undefined {
  try {
    const { value } = parseJson(text)
    return isJsonObject(value) && value['kind'] === 'Status' && typeof value['message'] === 'string' && value['message'] !== ''
      ? value['message']
      : undefined
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
