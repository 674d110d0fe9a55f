import type { InformerReader } from '@weft/client'
import { builtInFunction, type FunctionDirectory, FunctionError, type FunctionPlace, parseFunctionAddress } from '@weft/functions'
import { FUNCTION_ADDRESS, type FunctionPackage } from './function-kind.ts'

/** Where a Function is to be reached; otherwise why it cannot be, and what to do. Pure. */
export function placeOf({ metadata, spec }: FunctionPackage): FunctionPlace | string {
  const name = metadata.name ?? ''
  const address = metadata.annotations?.[FUNCTION_ADDRESS]
  if (address === undefined)
    return builtInFunction(spec.package) === undefined
      ? `Function ${name} is of package ${spec.package}, which is not built in, and programs of packages are not run yet: annotate it with ${FUNCTION_ADDRESS}=localhost:PORT to use one that runs on this machine`
      : { type: 'builtIn', package: spec.package }
  const target = parseFunctionAddress(address)
  const isHere = target?.type === 'tcp' && /^(localhost|127(\.\d+){3}|::1)$/.test(target.host)
  // In the clear, and with whatever secrets a Composition gives it: only to programs of this machine.
  return target !== undefined && isHere
    ? { type: 'address', target }
    : `Function ${name}: ${FUNCTION_ADDRESS} must be localhost:PORT, the address of a program on this machine, not ${JSON.stringify(address)}`
}

/** The functions that are installed in a control plane: its Function objects, from memory. */
export const installedFunctions = (functions: InformerReader<FunctionPackage>): FunctionDirectory => ({
  async find(functionName) {
    const found = functions.get({ name: functionName })
    if (found === undefined)
      throw new FunctionError('NotFound', `Function ${functionName} is not installed: apply a Function of that name (pkg.crossplane.io/v1)`)
    const place = placeOf(found)
    if (typeof place === 'string') throw new FunctionError('NotFound', place)
    return place
  },
})
