import { failure, field, invalid, type KubeObject } from '@weft/api'
import { addressesOf, isExternalName, isHeadless, linkedAddresses, withAddresses, withFamilies } from '../kinds/index.ts'
import { Addresses } from './addresses.ts'
import type { Allocated, Allocation } from './resource-type.ts'
import type { ObjectStore } from './store.ts'

/** Every Service has an address that no other has, as in any cluster. Nothing listens there: this server routes no traffic. */
const RANGE = { base: '10.0.0.0', bits: 16 } as const
/** That of the API itself, by convention. */
export const FIRST_ADDRESS = '10.0.0.1'

const pools = new WeakMap<ObjectStore, Addresses>()

/** Which addresses are taken is read off the Services themselves, so that nothing has to be repaired after a crash. */
function poolOf(store: ObjectStore): Addresses {
  let pool = pools.get(store)
  if (pool === undefined) pools.set(store, (pool = new Addresses(RANGE, store, addressesOf)))
  return pool
}

export const serviceAddresses: Allocation = {
  begin(given, live, { store, dryRun, random }): Allocated {
    const { object, errors } = withFamilies(linkedAddresses(given, live), live)
    if (errors.length > 0) throw refused(object, errors)
    const has = live !== undefined && !isExternalName(live) && addressesOf(live).length > 0
    if (has || isExternalName(object) || isHeadless(object)) return { object, settle: () => void 0 }
    const [wanted] = addressesOf(object)
    const pool = poolOf(store)
    const address = wanted === undefined ? next(pool, object, dryRun, random) : asked(pool, object, wanted, dryRun)
    if (!dryRun) pool.reserve(address)
    return { object: withAddresses(object, [address]), settle: () => pool.settle(address) }
  },
}

function next(pool: Addresses, service: KubeObject, dryRun: boolean, random: () => number): string {
  // What a dry run shows is nobody's.
  const address = dryRun ? RANGE.base : pool.free(random)
  if (address !== undefined) return address
  const message = `failed to allocate a serviceIP for Service ${JSON.stringify(service.metadata.name)}: range is full`
  throw failure({ code: 500, reason: 'InternalError', message: `Internal error occurred: ${message}` })
}

function asked(pool: Addresses, service: KubeObject, address: string, dryRun: boolean): string {
  const why = !pool.contains(address)
    ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${RANGE.base}/${RANGE.bits}`
    : !dryRun && pool.isTaken(address)
      ? 'provided IP is already allocated'
      : undefined
  if (why === undefined) return address
  throw refused(service, [field.invalid('spec.clusterIPs', [address], `failed to allocate IP ${address}: ${why}`)])
}

const refused = (service: KubeObject, errors: Parameters<typeof invalid>[1]): Error =>
  invalid({ group: '', kind: 'Service', name: service.metadata.name ?? '' }, errors)
