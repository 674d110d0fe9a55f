import { SYSTEM_NAMESPACE } from '@weft/api'
import type { Client, InformerReader } from '@weft/client'
import { secretKind } from '@weft/client'
import {
  builtInFunction,
  type FunctionDirectory,
  FunctionError,
  type FunctionModules,
  type FunctionPlace,
  parseFunctionAddress,
} from '@weft/functions'
import { addressOf } from '../package/function-address.ts'
import { FUNCTION_CLIENT_SECRET, isActiveRevision, packageNameOf, type PackageObject, type RevisionObject } from '../package/kinds.ts'

export interface InstalledFunctionsOptions {
  readonly functions: InformerReader<PackageObject>
  readonly revisions: InformerReader<RevisionObject>
  /** Reads the certificate that functions are shown. */
  readonly client: Pick<Client, 'find'>
  /** Functions that are modules. */
  readonly modules?: FunctionModules | undefined
}

interface ClientTls {
  readonly ca: Uint8Array
  readonly key: Uint8Array
  readonly certificate: Uint8Array
}

/** It is made anew once in a long while, and read often. */
const REMEMBER_MS = 60_000

/** The functions that are installed in a control plane, from memory: modules, built in, under development at an address, or at the endpoint of their active revision. */
export function installedFunctions({ functions, revisions, client, modules }: InstalledFunctionsOptions): FunctionDirectory {
  let known: { readonly tls: Promise<ClientTls>; readonly until: number } | undefined
  const tls = (): Promise<ClientTls> => {
    if (known === undefined || known.until < Date.now()) {
      const read = clientTls(client)
      known = { tls: read, until: Date.now() + REMEMBER_MS }
      // What is missing may be there the next time.
      read.catch(() => (known = undefined))
    }
    return known.tls
  }
  return {
    async find(functionName) {
      const module = modules?.find(functionName)
      if (module !== undefined) return { type: 'module', module }
      const found = functions.get({ name: functionName })
      if (found === undefined)
        throw new FunctionError(
          'NotFound',
          `Function ${functionName} is not installed: apply a Function of that name (pkg.crossplane.io/v1)`,
        )
      const address = addressOf(found)
      if (typeof address === 'string') throw new FunctionError('NotFound', address)
      if (address !== undefined) return address
      if (builtInFunction(found.spec.package) !== undefined) return { type: 'builtIn', package: found.spec.package }
      return endpointOf(functionName, revisions, tls)
    },
  }
}

/** Where the program of the active revision is asked. */
async function endpointOf(
  functionName: string,
  revisions: InformerReader<RevisionObject>,
  tls: () => Promise<ClientTls>,
): Promise<FunctionPlace> {
  const active = revisions.list().find((revision) => packageNameOf(revision) === functionName && isActiveRevision(revision))
  const endpoint = active?.status?.endpoint
  if (endpoint === undefined || endpoint === '') {
    const what = active === undefined ? 'has no active revision' : 'is not running at present'
    throw new FunctionError(
      'Unavailable',
      `Function ${functionName} ${what}: weft describe function.pkg.crossplane.io ${functionName} says why`,
    )
  }
  const target = parseFunctionAddress(endpoint)
  if (target?.type !== 'tcp')
    throw new FunctionError(
      'NotFound',
      `Function ${functionName}: the endpoint ${JSON.stringify(endpoint)} of its revision is not an address`,
    )
  // Programs of this machine share its address: each is known by the name in its certificate, so that none can answer for another.
  const isHere = /^(127(\.\d+){3}|::1|localhost)$/.test(target.host)
  const serverName = isHere ? { serverName: `${functionName}.${SYSTEM_NAMESPACE}` } : {}
  return { type: 'address', target: { ...target, tls: { ...(await tls()), ...serverName } } }
}

async function clientTls(client: Pick<Client, 'find'>): Promise<ClientTls> {
  const secret = await client.find(secretKind, { namespace: SYSTEM_NAMESPACE, name: FUNCTION_CLIENT_SECRET })
  const read = (key: string): Uint8Array => {
    const value = secret?.data?.[key]
    if (value !== undefined) return Buffer.from(value, 'base64')
    throw new FunctionError(
      'Unavailable',
      `functions are called with the certificate in Secret ${SYSTEM_NAMESPACE}/${FUNCTION_CLIENT_SECRET}, which ${secret === undefined ? 'does not exist' : `has no ${key}`}`,
    )
  }
  return { ca: read('ca.crt'), key: read('tls.key'), certificate: read('tls.crt') }
}
