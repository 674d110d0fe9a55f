import { type FieldError, field, type KubeObject } from '@weft/api'
import { isIP, isIPv6 } from 'node:net'
import { isSet, recordAt, textAt, textsAt } from '../read.ts'

/**
 * The fields of a Service that say one thing together: clusterIP and clusterIPs, ipFamilies and ipFamilyPolicy. Clients
 * send some of them, or send back none of what the server gave; here is worked out what they meant. Which addresses
 * are free is not known here (see `registry/service-addresses.ts`).
 */
type Spec = Readonly<Record<string, unknown>>

const specOf = (object: KubeObject | undefined): Spec => recordAt(object, 'spec')
const withSpec = (object: KubeObject, change: Spec): KubeObject => ({ ...object, spec: present({ ...specOf(object), ...change }) })
const present = (spec: Spec): Spec => Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined))

export const HEADLESS = 'None'
const IPV4 = 'IPv4'
const IPV6 = 'IPv6'

/** A name elsewhere: it has no address of its own. */
export const isExternalName = (service: KubeObject | undefined): boolean => textAt(service, 'spec', 'type') === 'ExternalName'
export const addressesOf = (service: KubeObject | undefined): readonly string[] => textsAt(service, 'spec', 'clusterIPs')
export const isHeadless = (service: KubeObject | undefined): boolean => addressesOf(service)[0] === HEADLESS

const sameAddresses = (a: Spec, b: Spec): boolean => textAt(a, 'clusterIP') === textAt(b, 'clusterIP') && sameTexts(a, b, 'clusterIPs')
const sameTexts = (a: Spec, b: Spec, name: string): boolean => textsAt(a, name).join() === textsAt(b, name).join()

/** The singular and the plural field as one: what a client left out of an update stays as it is. */
export function linkedAddresses(next: KubeObject, live: KubeObject | undefined): KubeObject {
  const spec = specOf(next)
  const address = textAt(spec, 'clusterIP')
  if (live === undefined)
    return address !== '' && textsAt(spec, 'clusterIPs').length === 0 ? withSpec(next, { clusterIPs: [address] }) : next
  if (isExternalName(live) || isExternalName(next)) return next
  const old = specOf(live)
  const given = { clusterIP: address || textAt(old, 'clusterIP'), clusterIPs: textsAt(spec, 'clusterIPs') }
  const clusterIPs = given.clusterIPs.length === 0 ? textsAt(old, 'clusterIPs') : given.clusterIPs
  const renamed = given.clusterIP !== textAt(old, 'clusterIP') && sameTexts({ clusterIPs }, old, 'clusterIPs')
  return withSpec(next, {
    clusterIP: given.clusterIP === '' ? undefined : given.clusterIP,
    clusterIPs: renamed ? [given.clusterIP] : clusterIPs.length > 0 ? clusterIPs : undefined,
  })
}

/** The families of the addresses, and the policy that goes with them. This server has addresses of one family. */
export function withFamilies(
  next: KubeObject,
  live: KubeObject | undefined,
): { readonly object: KubeObject; readonly errors: FieldError[] } {
  if (isExternalName(next)) return { object: next, errors: [] }
  const spec = specOf(next)
  const free = isHeadless(next) && Object.keys(recordAt(spec, 'selector')).length === 0
  const ipFamilyPolicy =
    textAt(spec, 'ipFamilyPolicy') || textAt(live, 'spec', 'ipFamilyPolicy') || (free ? 'RequireDualStack' : 'SingleStack')
  const object = withSpec(next, { ipFamilyPolicy })
  const errors = addressErrors(object)
  if (errors.length > 0) return { object, errors }
  const given = textsAt(spec, 'ipFamilies')
  const families = inferredFamilies(object, given, errors)
  const wanted = [...(families.length > 0 ? families : [IPV4])]
  if (free) {
    // Whoever brings the endpoints knows their families: nothing is asked of this server.
    if (wanted.length < 2 && ipFamilyPolicy !== 'SingleStack') wanted.push(wanted[0] === IPV4 ? IPV6 : IPV4)
    return { object: withSpec(object, { ipFamilies: wanted }), errors }
  }
  if (ipFamilyPolicy === 'SingleStack') errors.push(...tooManyForOne(object, given))
  if (errors.length > 0) return { object, errors }
  if (ipFamilyPolicy === 'RequireDualStack')
    errors.push(field.invalid('spec.ipFamilyPolicy', ipFamilyPolicy, 'this cluster is not configured for dual-stack services'))
  for (const [i, family] of given.entries())
    if (family !== IPV4) errors.push(field.invalid(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster'))
  return { object: withSpec(object, { ipFamilies: wanted }), errors }
}

function inferredFamilies(object: KubeObject, given: readonly string[], errors: FieldError[]): readonly string[] {
  const addresses = isHeadless(object) ? [] : addressesOf(object)
  const inferred = addresses.slice(given.length).map((address, i) => {
    if (!isIPv6(address)) return IPV4
    errors.push(field.invalid(`spec.clusterIPs[${given.length + i}]`, addresses, 'IPv6 is not configured on this cluster'))
    return IPV6
  })
  return [...given, ...inferred]
}

function tooManyForOne(object: KubeObject, families: readonly string[]): FieldError[] {
  const why = (what: string): FieldError =>
    field.invalid(
      'spec.ipFamilyPolicy',
      'SingleStack',
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    )
  return [...(addressesOf(object).length === 2 ? [why('cluster IPs')] : []), ...(families.length === 2 ? [why('IP families')] : [])]
}

function addressErrors(service: KubeObject): FieldError[] {
  const addresses = addressesOf(service)
  const first = textAt(service, 'spec', 'clusterIP')
  const errors: FieldError[] = []
  const wrong = (why: string): void => void errors.push(field.invalid('spec.clusterIPs', addresses, why))
  if (first === '' && addresses.length > 0) wrong('must be empty when `clusterIP` is not specified')
  if (first !== '' && addresses.length > 0 && addresses[0] !== first) wrong('first value must match `clusterIP`')
  errors.push(...familyErrors(service))
  const before = errors.length
  if (addresses[0] === HEADLESS && addresses.length > 1) wrong("'None' must be the first and only value")
  for (const [i, address] of addresses.entries())
    if (!(i === 0 && address === HEADLESS) && isIP(address) === 0)
      errors.push(field.invalid(`spec.clusterIPs[${i}]`, address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'))
  const readable = errors.length === before
  if (addresses.length > 2) wrong('may only hold up to 2 values')
  if (!readable) return errors
  if (addresses.length > 1 && new Set(addresses.map((address) => isIPv6(address))).size < 2)
    wrong('may specify no more than one IP for each IP family')
  return [...errors, ...mismatches(service, addresses)]
}

function familyErrors(service: KubeObject): FieldError[] {
  const families = textsAt(service, 'spec', 'ipFamilies')
  const policy = textAt(service, 'spec', 'ipFamilyPolicy')
  const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']
  return [
    ...families.flatMap((family, i) => [
      ...(family === IPV4 || family === IPV6 ? [] : [field.notSupported(`spec.ipFamilies[${i}]`, family, [IPV4, IPV6])]),
      ...(families.indexOf(family) < i ? [field.duplicate(`spec.ipFamilies[${i}]`, family)] : []),
    ]),
    ...(policies.includes(policy) ? [] : [field.notSupported('spec.ipFamilyPolicy', policy, policies)]),
  ]
}

function mismatches(service: KubeObject, addresses: readonly string[]): FieldError[] {
  if (isHeadless(service)) return []
  return textsAt(service, 'spec', 'ipFamilies').flatMap((family, i) => {
    const address = addresses[i]
    if (address === undefined || isIPv6(address) === (family === IPV6)) return []
    return [field.invalid(`spec.clusterIPs[${i}]`, address, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``)]
  })
}

/** An address is kept for life; only to become a name elsewhere gives it up. */
export function changedAddressErrors(next: KubeObject, old: KubeObject): FieldError[] {
  if (isExternalName(next) || isExternalName(old) || (isHeadless(next) && isHeadless(old))) return []
  const [now, before] = [addressesOf(next), addressesOf(old)]
  if (before.length > 0 && now.length === 0) return [field.invalid('spec.clusterIPs[0]', now, 'primary clusterIP can not be unset')]
  const compared = now.length === before.length ? before : before.slice(0, 1)
  return compared.flatMap((address, i) =>
    now[i] === address ? [] : [field.invalid(`spec.clusterIPs[${i}]`, now, 'may not change once set')],
  )
}

/** A Service that becomes a name elsewhere loses what only addresses need, unless its author changed that, too. */
export function withoutAddresses(next: KubeObject, old: KubeObject): KubeObject {
  if (isExternalName(old) || !isExternalName(next)) return next
  const [spec, before] = [specOf(next), specOf(old)]
  return withSpec(next, {
    ...(sameAddresses(spec, before) && { clusterIP: undefined, clusterIPs: undefined }),
    ...(sameTexts(spec, before, 'ipFamilies') && { ipFamilies: undefined }),
    internalTrafficPolicy: undefined,
    ...(isSet(spec['ipFamilyPolicy']) && spec['ipFamilyPolicy'] === before['ipFamilyPolicy'] && { ipFamilyPolicy: undefined }),
  })
}

export const withAddresses = (service: KubeObject, addresses: readonly string[]): KubeObject =>
  withSpec(service, { clusterIP: addresses[0], clusterIPs: addresses })
