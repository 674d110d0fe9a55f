import { getOwn, type KubeObject } from '@weft/api'
import { type Client, type Secret, secretKind } from '@weft/client'
import { CONNECTION_SECRET_TYPE, machineryOf } from '@weft/composition'
import { isControlledBy } from './control.ts'
import { connectionSecretAddress, type FindSecret, readConnection, type SecretAddress } from './secret.ts'

/**
 * The secrets that composite resources without a reference of their own are composed of (K211): their functions publish by making one. At most a few are
 * looked at; nobody has more than one for a claim.
 */
const MOST = 8

export function composedSecrets(object: KubeObject): readonly SecretAddress[] {
  const refs = getOwn(machineryOf(object, 'spec.crossplane'), 'resourceRefs')
  if (!Array.isArray(refs)) return []
  return (refs as readonly Readonly<Record<string, string>>[])
    .filter((ref) => ref?.['apiVersion'] === 'v1' && ref['kind'] === 'Secret' && typeof ref['name'] === 'string')
    .slice(0, MOST)
    .map(({ name = '', namespace }) => ({ name, namespace: object.metadata.namespace ?? namespace ?? '' }))
}

/**
 * What `from` published: where its reference says, or else as one of the secrets that it is composed of, which it must control and which must say that it holds connection details: others are its own
 * business. Undefined: nothing yet.
 */
export async function findPublished(client: Client, from: KubeObject, find?: FindSecret): Promise<Secret | undefined> {
  if (connectionSecretAddress(from) !== undefined) return readConnection(client, from, find)
  for (const address of composedSecrets(from)) {
    const secret = await (find?.(address) ?? client.find(secretKind, address))
    if (secret?.type === CONNECTION_SECRET_TYPE && isControlledBy(secret, from)) return secret
  }
  return undefined
}
