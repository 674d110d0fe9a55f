import type { Clock } from './authority.ts'
import { renewAuthorityPair, renewTlsPair, type TlsPair } from './tls-pair.ts'

/** A server's certificate with an authority made for it alone, all PEM, under the names that a TLS Secret has. */
export interface ServingPair extends TlsPair {
  readonly 'ca.key': string
  readonly 'ca.crt': string
}

export interface ServingPairOptions {
  /** The only names and addresses that the certificate is for. */
  readonly hosts: readonly string[]
  readonly clock?: Clock
}

/** Both pairs as they are wanted, from those that there are. Answers the same object when nothing is to be done. */
export function renewServingPair(before: Partial<ServingPair>, { hosts, clock = Date }: ServingPairOptions): ServingPair {
  const authority = renewAuthorityPair(pairOf(before['ca.key'], before['ca.crt']), clock)
  const server = renewTlsPair(authority, pairOf(before['tls.key'], before['tls.crt']), { purpose: { hosts }, clock })
  const after: ServingPair = { 'ca.key': authority['tls.key'], 'ca.crt': authority['tls.crt'], ...server }
  const isSame = (Object.keys(after) as (keyof ServingPair)[]).every((name) => before[name] === after[name])
  return isSame ? (before as ServingPair) : after
}

const pairOf = (key: string | undefined, certificate: string | undefined): Partial<TlsPair> => ({
  ...(key !== undefined && { 'tls.key': key }),
  ...(certificate !== undefined && { 'tls.crt': certificate }),
})
