import { ExternalError, type ExternalErrorCode } from '@weft/provider-sdk'

/** SQLSTATEs whose meaning matters; of the others the class (first two characters) decides. */
const STATES: Readonly<Record<string, ExternalErrorCode>> = {
  '42P04': 'AlreadyExists', // database
  '42710': 'AlreadyExists', // role, extension
  '23505': 'AlreadyExists', // two creates at the same time meet in the catalogue
  '42704': 'DependencyViolation', // no such role
  '3D000': 'DependencyViolation', // no such database
  '2BP01': 'DependencyViolation', // something still depends on it
  '55006': 'DependencyViolation', // somebody is connected to it
  '0LP01': 'DependencyViolation', // invalid grant operation
  '42501': 'Denied',
  '53300': 'Throttled', // too many connections
  '57014': 'Unavailable', // timed out
  '40001': 'Unavailable',
  '40P01': 'Unavailable',
  XX000: 'Unavailable', // "tuple concurrently updated": somebody changed the same thing
}

const CLASSES: Readonly<Record<string, ExternalErrorCode>> = {
  '08': 'Unavailable',
  '28': 'Denied',
  '53': 'Unavailable',
  '55': 'Unavailable',
  '57': 'Unavailable',
  '58': 'Unavailable',
}

/** Errors of a socket that was never connected: nothing can have happened. */
const REFUSED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNRESET_BEFORE_QUERY',
])

const RETRY_THROTTLED_MS = 1_000

/** What went wrong, in the provider SDK's terms. PostgreSQL's messages name objects, never their secrets. */
export function externalErrorOf(error: unknown): unknown {
  if (error instanceof ExternalError || !(error instanceof Error)) return error
  const state = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (/^[0-9A-Z]{5}$/.test(state) && !state.startsWith('E')) return ofState(state, error)
  const refused = REFUSED.has(state) || /timeout exceeded when trying to connect|connection timeout/i.test(error.message)
  return new ExternalError('Unavailable', `PostgreSQL cannot be reached: ${error.message}`, { mayHaveTakenEffect: !refused, cause: error })
}

function ofState(state: string, error: Error): ExternalError {
  const code = STATES[state] ?? CLASSES[state.slice(0, 2)] ?? 'Invalid'
  // A refusal to talk at all (class 28, 57P03 starting up, 53300) has done nothing.
  const mayHaveTakenEffect = code === 'Unavailable' && state !== '57P03'
  return new ExternalError(code, error.message, {
    mayHaveTakenEffect,
    cause: error,
    ...(code === 'Throttled' && { retryAfterMs: RETRY_THROTTLED_MS }),
  })
}

export const sqlState = (error: unknown): string | undefined =>
  error instanceof ExternalError
    ? sqlState(error.cause)
    : error instanceof Error && 'code' in error && typeof error.code === 'string'
      ? error.code
      : undefined
