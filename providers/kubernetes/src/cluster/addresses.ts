import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { BlockList, isIP } from 'node:net'

/** Where no cluster is, but where machines of clouds are told who they are, and what a network does not carry any further. */
const NOWHERE = new BlockList()
NOWHERE.addSubnet('0.0.0.0', 8)
NOWHERE.addSubnet('169.254.0.0', 16)
NOWHERE.addAddress('100.100.100.200')
NOWHERE.addSubnet('::', 128, 'ipv6')
NOWHERE.addSubnet('fe80::', 10, 'ipv6')
NOWHERE.addAddress('fd00:ec2::254', 'ipv6')

/** The machine that the control plane runs on: its own servers, and its neighbours in the pod, trust what comes from there. */
const HERE = new BlockList()
HERE.addSubnet('127.0.0.0', 8)
HERE.addAddress('::1', 'ipv6')

/** Who named an address: somebody who may write for the whole control plane, or a tenant, for a namespace. */
export type NamedBy = 'operator' | 'tenant'

/** Why nobody connects there for them; undefined: they may. Names are judged by what they lead to, when it is connected. */
export function forbiddenAddress(host: string, by: NamedBy): string | undefined {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  if (family === 0) return undefined
  const type = family === 4 ? 'ipv4' : 'ipv6'
  if (NOWHERE.check(address, type)) return 'no cluster is at such an address (link-local, or of a cloud’s metadata)'
  if (by === 'tenant' && HERE.check(address, type))
    return 'that is the machine of the control plane itself: only a configuration for the whole control plane may name it'
  return undefined
}

type Answer = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** Resolves names as the system does, and answers none that leads where nobody may connect. Called for every connection: names change what they lead to. */
export const guardedLookup =
  (by: NamedBy) =>
  (hostname: string, options: LookupOptions, answer: Answer): void => {
    resolve(hostname, options, (error, address, family) => {
      const found = (typeof address === 'string' ? [address] : (address ?? [])).map((each) =>
        typeof each === 'string' ? each : each.address,
      )
      const why = error === null ? found.map((each) => forbiddenAddress(each, by)).find((each) => each !== undefined) : undefined
      if (why !== undefined) answer(new ForbiddenAddressError(why), '')
      else answer(error, address, family)
    })
  }

export class ForbiddenAddressError extends Error {
  readonly code = 'EFORBIDDEN'
}
