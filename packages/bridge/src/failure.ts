import { messageOf } from '@weft/api'
import { GrpcCode, GrpcError } from '@weft/grpc'
import { ExternalError, type ExternalErrorCode } from '@weft/provider-sdk'
import { ConfigErrors, HandshakeError, ProviderFailure, ProviderUnavailableError } from '@weft/terraform'
import { redact } from './redact.ts'
import { RecordTooLargeError } from './resource-record.ts'

const THROTTLED = /throttl|rate exceeded|too many requests|\b429\b/i
const DENIED = /access ?denied|unauthori[sz]ed|forbidden|permission denied|invalid credentials|\b40[13]\b/i
const LONGEST = 1_000

export interface FailureContext {
  /** Texts that must not be shown. */
  readonly secrets: readonly string[]
  /** Can what failed have changed something? */
  readonly mayHaveTakenEffect?: boolean | undefined
}

/** What went wrong, as the reconciler understands it and people may read it. There are no codes in the protocol: texts decide (T59). */
export function externalError(error: unknown, { secrets, mayHaveTakenEffect = false }: FailureContext): unknown {
  if (error instanceof ExternalError) return error
  const told = messageOf(error)
  const message = redact(told, secrets).slice(0, LONGEST)
  // Not with its cause, whose words are the provider's own: a log would tell them.
  const options = { mayHaveTakenEffect }
  if (error instanceof ConfigErrors || error instanceof RecordTooLargeError) return new ExternalError('Invalid', message, options)
  if (error instanceof ProviderUnavailableError)
    return new ExternalError('Unavailable', message, {
      ...options,
      mayHaveTakenEffect: false,
      retryAfterMs: Math.max(error.retryAfterMs, 100),
    })
  if (error instanceof HandshakeError) return new ExternalError('Unavailable', message, { ...options, mayHaveTakenEffect: false })
  if (error instanceof ProviderFailure) return new ExternalError(codeOf(error, told), message, options)
  if (error instanceof GrpcError) return new ExternalError('Unavailable', transportMessage(error), options)
  return redact(told, secrets) === told ? error : new Error(message)
}

function codeOf({ diagnostics, call }: ProviderFailure, text: string): ExternalErrorCode {
  if (THROTTLED.test(text)) return 'Throttled'
  if (DENIED.test(text)) return 'Denied'
  const isAboutFields = diagnostics.some(({ severity, path }) => severity === 'error' && path.length > 0)
  if (call === 'configure') return 'Denied'
  return isAboutFields && (call === 'validate' || call === 'plan') ? 'Invalid' : 'Unavailable'
}

/** Its own words may quote a request. */
function transportMessage({ code }: GrpcError): string {
  switch (code) {
    case GrpcCode.Unavailable:
      return 'the process of the provider ended while it was working on this; its log says why'
    case GrpcCode.Cancelled:
      return 'the call to the provider was cancelled'
    case GrpcCode.DeadlineExceeded:
      return 'the provider did not answer in time'
    case GrpcCode.ResourceExhausted:
      return 'the answer of the provider is too large'
    case GrpcCode.Unimplemented:
      return 'the provider does not know how to do this; a newer version of it may'
    default:
      return `the call to the provider failed (code ${code}); its log says why`
  }
}
