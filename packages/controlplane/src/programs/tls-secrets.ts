import { hasReason, SYSTEM_NAMESPACE } from '@weft/api'
import { renewAuthorityPair, renewTlsPair, type TlsPair, type TlsPurpose } from '@weft/apiserver'
import { type Client, type Secret, secretKind } from '@weft/client'
import { FUNCTION_CLIENT_SECRET } from '@weft/controllers'

/** Crossplane's names: its functions and Weft's trust the same authority, whoever made it. */
const AUTHORITY_SECRET = 'crossplane-root-ca'

/** A program's certificate, with the authority by which it knows its callers, or they know it. */
export interface ProgramTls extends TlsPair {
  readonly 'ca.crt': string
}

/** The names by which callers know the program of a package. */
export const serviceHosts = (packageName: string): readonly string[] => {
  const service = `${packageName}.${SYSTEM_NAMESPACE}`
  return [packageName, service, `${service}.svc`, `${service}.svc.cluster.local`]
}

/** The certificate that a package's program shows, in a Secret: made when there is none, and renewed when a third of its life is left. */
export const ensureServerTls = (client: Client, packageName: string): Promise<ProgramTls> =>
  ensureTls(client, `${packageName}-tls-server`, { hosts: serviceHosts(packageName) })

/** The certificate that a provider's program shows to others. */
export const ensureClientTls = (client: Client, packageName: string, revision: string): Promise<ProgramTls> =>
  ensureTls(client, `${packageName}-tls-client`, { user: revision })

/** Where programs look for them. */
export const SERVER_CERTIFICATES = '/tls/server'
export const CLIENT_CERTIFICATES = '/tls/client'

export const tlsFiles = (tls: ProgramTls): Readonly<Record<string, string>> => ({
  'tls.crt': tls['tls.crt'],
  'tls.key': tls['tls.key'],
  'ca.crt': tls['ca.crt'],
})

/** The certificate that we show to functions. */
export const ensureFunctionClientTls = (client: Client): Promise<ProgramTls> =>
  ensureTls(client, FUNCTION_CLIENT_SECRET, { user: `crossplane.${SYSTEM_NAMESPACE}` })

async function ensureTls(client: Client, name: string, purpose: TlsPurpose): Promise<ProgramTls> {
  const authority = await ensure(client, AUTHORITY_SECRET, (before) => renewAuthorityPair(before))
  const ca = authority['tls.crt'] ?? ''
  const pair = await ensure(client, name, (before) => {
    const next = renewTlsPair(authority as unknown as TlsPair, before, { purpose })
    const isSame = next['tls.crt'] === before['tls.crt'] && before['ca.crt'] === ca
    return isSame ? before : { ...next, 'ca.crt': ca }
  })
  return pair as unknown as ProgramTls
}

type Files = Readonly<Record<string, string>>

/** What the Secret is to hold, written when it is not so. Safe to be called by many at once: who comes later takes what the first wrote. */
async function ensure(client: Client, name: string, wanted: (before: Files) => Files | TlsPair): Promise<Files> {
  const ref = { namespace: SYSTEM_NAMESPACE, name }
  for (;;) {
    const secret = await client.find(secretKind, ref)
    const before: Files = Object.fromEntries(
      Object.entries(secret?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    )
    const after = wanted(before) as Files
    if (after === before) return before
    const data = Object.fromEntries(Object.entries(after).map(([key, text]) => [key, Buffer.from(text).toString('base64')]))
    try {
      if (secret === undefined) await client.create<Secret>({ apiVersion: 'v1', kind: 'Secret', metadata: ref, type: 'Opaque', data })
      else await client.update<Secret>({ ...secret, data })
      return after
    } catch (error) {
      if (!hasReason(error, 'Conflict') && !hasReason(error, 'AlreadyExists')) throw error
    }
  }
}
