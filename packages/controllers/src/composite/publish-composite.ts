import { getOwn, type KubeObject, setOwn } from '@weft/api'
import { type Client, type InformerReader, type Secret, secretKind } from '@weft/client'
import { type ComposedTemplate, conditionsOf, contractDetails, type SecretData, selectDetails } from '@weft/composition'
import { connectionSecretAddress, type FindSecret, readConnection, writeConnection } from '../connection/secret.ts'

export interface Published {
  /** Was anything written? */
  readonly wrote: boolean
  /** Promised details that no member has published yet. */
  readonly missing: readonly string[]
  /** Why some of them can never come: members that are to have a secret, and write none. */
  readonly silent: readonly string[]
}

/**
 * C16: collects what the templates expose, keeps what the definition promises, and publishes that. Details that are promised and were published before
 * stay when a member is between two secrets (X6, additive); everything else goes.
 *
 * `known` has all connection secrets in memory, and every change of one calls again. The server is asked for what is not there only where it may be: a member
 * publishes before it reports.
 */
export async function publishComposite(
  client: Client,
  composite: KubeObject,
  members: readonly { readonly template: ComposedTemplate; readonly object: KubeObject | undefined }[],
  promised: readonly string[] | undefined,
  known: InformerReader<Secret>,
): Promise<Published> {
  const address = connectionSecretAddress(composite)
  if (address === undefined) return { wrote: false, missing: [], silent: [] }
  const silent: string[] = []
  const collected: Record<string, string> = {}
  for (const { template, object } of members) {
    if (object === undefined || template.connectionDetails.length === 0) continue
    const needsSecret = template.connectionDetails.some(({ type }) => type === 'FromConnectionSecretKey')
    if (needsSecret && connectionSecretAddress(object) === undefined)
      silent.push(
        `${object.kind}/${object.metadata.name ?? ''} writes no connection secret: set writeConnectionSecretToRef in ${template.origin}.base`,
      )
    const secret = needsSecret ? await readConnection(client, object, secretOf(client, known, object)) : undefined
    const { data } = selectDetails(template.connectionDetails, { secret: secret?.data, object })
    for (const [key, value] of Object.entries(data)) setOwn(collected, key, value)
  }
  const wanted = promised ?? exposed(members)
  // What one that is not in memory may hold matters where something has to be kept of it.
  const isComplete = wanted.every((key) => getOwn(collected, key) !== undefined)
  const isEmpty = Object.keys(collected).length === 0
  const existing = known.get(address) ?? (isComplete || isEmpty ? undefined : await client.find(secretKind, address))
  const { data, missing } = contractDetails(promised, { ...keptOf(existing?.data ?? {}, wanted), ...collected })
  if (existing === undefined && Object.keys(data).length === 0) return { wrote: false, missing, silent }
  const write = { owner: composite, address, data, exact: true }
  return { wrote: await writeConnection(client, write, () => Promise.resolve(existing)), missing, silent }
}

const secretOf =
  (client: Client, known: InformerReader<Secret>, member: KubeObject): FindSecret =>
  async (address) =>
    known.get(address) ?? (hasReported(member) ? client.find(secretKind, address) : undefined)

const hasReported = (object: KubeObject): boolean => conditionsOf(object).length > 0

const exposed = (members: readonly { readonly template: ComposedTemplate }[]): readonly string[] =>
  members.flatMap(({ template }) => template.connectionDetails.map(({ name }) => name))

function keptOf(data: SecretData, keys: readonly string[]): SecretData {
  const kept: Record<string, string> = {}
  for (const key of keys) {
    const value = getOwn(data, key)
    if (typeof value === 'string') setOwn(kept, key, value)
  }
  return kept
}
