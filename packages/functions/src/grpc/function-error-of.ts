import { GrpcCode, type GrpcError } from '@weft/grpc'
import { FunctionError } from '../protocol/function-error.ts'

const LONGEST = 400
const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** What a failed call means to whoever reads the condition of a composite. */
export function functionError(name: string, address: string, error: GrpcError): FunctionError {
  const details = shortened(error.details)
  const say = (code: FunctionError['code'], message: string): FunctionError => new FunctionError(code, message, { cause: error })
  switch (error.code) {
    case GrpcCode.Unavailable:
      return say('Unavailable', `function ${name} cannot be reached at ${address}: ${details}. Is it running?`)
    case GrpcCode.DeadlineExceeded:
      return say('DeadlineExceeded', `function ${name} at ${address} did not answer in time`)
    case GrpcCode.Cancelled:
      return say('Cancelled', `function ${name} was asked, but the caller gave up before it answered`)
    case GrpcCode.ResourceExhausted:
      return say('BadAnswer', `function ${name} at ${address} answered or was asked too much at once: ${details}`)
    case GrpcCode.Unimplemented:
      return say('BadAnswer', `what listens at ${address} for function ${name} is no composition function: ${details}`)
    case GrpcCode.Internal:
      return say('BadAnswer', `function ${name} at ${address} gave no answer that can be read: ${details}`)
    default:
      return say('Failed', `function ${name} at ${address} failed: ${details}`)
  }
}
