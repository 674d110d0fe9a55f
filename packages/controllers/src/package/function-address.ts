import { type FunctionPlace, parseFunctionAddress } from '@weft/functions'
import { FUNCTION_ADDRESS, type PackageObject } from './kinds.ts'

/** Where a program under development answers for a Function; undefined when it does not say, else why it cannot be asked there. */
export function addressOf({ metadata }: PackageObject): FunctionPlace | string | undefined {
  const address = metadata.annotations?.[FUNCTION_ADDRESS]
  if (address === undefined) return undefined
  const target = parseFunctionAddress(address)
  const isHere = target?.type === 'tcp' && /^(localhost|127(\.\d+){3}|::1)$/.test(target.host)
  // In the clear, and with whatever secrets a Composition gives it: only to programs of this machine.
  return target !== undefined && isHere
    ? { type: 'address', target }
    : `Function ${metadata.name ?? ''}: ${FUNCTION_ADDRESS} must be localhost:PORT, the address of a program on this machine, not ${JSON.stringify(address)}`
}

export function addressProblem(given: PackageObject): string | undefined {
  const place = addressOf(given)
  return typeof place === 'string' ? place : undefined
}
