import { GrpcCode, type GrpcError } from '@weft/grpc'
import { FunctionError } from '../protocol/function-error.ts'

const LONGEST = 400
const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** The library's words around the cause of a connection that was never there are no help to anybody. */
const causeOf = (details: string): string =>
  /^No connection established\. Last error: (?:Error: )?(.+?)\.? Resolution note:/s.exec(details)?.[1] ?? details

/** Internal is said by our side of a call, too, of what it could not read. Whatever else comes with it are the function's own words. */
const UNREADABLE = /^(Response message parsing error|Failed to decompress|Received (RST_STREAM|HTTP)|the server ended the call)/

/** What a failed call means to whoever reads the condition of a composite. */
export function functionError(name: string, address: string, error: GrpcError): FunctionError {
  const details = shortened(error.details)
  const say = (code: FunctionError['code'], message: string): FunctionError => new FunctionError(code, message, { cause: error })
  switch (error.code) {
    case GrpcCode.Unavailable:
      return say('Unavailable', `function ${name} cannot be reached at ${address}: ${causeOf(details)}. Is it running?`)
    case GrpcCode.DeadlineExceeded:
      return say('DeadlineExceeded', `function ${name} at ${address} did not answer in time`)
    case GrpcCode.Cancelled:
      return say('Cancelled', `function ${name} was called, but the caller gave up before it answered`)
    case GrpcCode.ResourceExhausted:
      return say('BadAnswer', `function ${name} at ${address} answered or was asked too much at once: ${details}`)
    case GrpcCode.Unimplemented:
      return say('BadAnswer', `what listens at ${address} for function ${name} is not a composition function: ${details}`)
    case GrpcCode.Internal:
      if (UNREADABLE.test(details))
        return say('BadAnswer', `function ${name} at ${address} returned an answer that cannot be read: ${details}`)
      return say('Failed', `function ${name} at ${address} failed: ${details}`)
    default:
      return say('Failed', `function ${name} at ${address} failed: ${details}`)
  }
}
