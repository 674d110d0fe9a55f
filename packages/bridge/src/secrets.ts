import { getOwn, type JsonObject } from '@weft/api'
import { type Client, secretKind } from '@weft/client'
import { fromSecretData } from '@weft/composition'
import { ExternalError } from '@weft/provider-sdk'
import { type Field, type SecretLookup, secretRefs } from '@weft/terraform'

/**
 * Reads the Secrets that parameters name, each once. Whoever writes an object in a namespace may use the Secrets of that namespace: another's
 * would be handed to a provider whose answers they can read.
 */
export async function lookUpSecrets(
  client: Client,
  fields: readonly Field[],
  parameters: JsonObject,
  namespace: string | undefined,
): Promise<SecretLookup> {
  const found = new Map<string, ReadonlyMap<string, string> | undefined>()
  for (const ref of secretRefs(fields, parameters)) {
    if (namespace !== undefined && ref.namespace !== namespace)
      throw new ExternalError(
        'Invalid',
        `it refers to Secret ${ref.name} in namespace ${ref.namespace}: an object in a namespace can only use Secrets of its own, ${namespace}`,
      )
    const key = `${ref.namespace}/${ref.name}`
    if (!found.has(key)) found.set(key, await read(client, ref))
  }
  return ({ namespace: where, name, key }) => {
    const secret = found.get(`${where}/${name}`)
    return key === undefined ? secret : secret?.get(key)
  }
}

async function read(
  client: Client,
  { namespace, name }: { namespace: string; name: string },
): Promise<ReadonlyMap<string, string> | undefined> {
  const secret = await client.find(secretKind, { namespace, name })
  if (secret === undefined) return undefined
  const data = fromSecretData(secret.data ?? {})
  return new Map(Object.keys(data).map((key) => [key, Buffer.from(getOwn(data, key) ?? []).toString()]))
}
