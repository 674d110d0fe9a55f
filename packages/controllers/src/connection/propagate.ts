import { getOwn, type KubeObject, setOwn, withMeta } from '@weft/api'
import { type Client, type Secret, secretKind } from '@weft/client'
import { composedSecrets, findPublished } from './published.ts'
import { connectionSecretAddress, type FindSecret, type SecretAddress, writeConnection } from './secret.ts'

/**
 * Copies connection secrets and keeps the copies right. Both secrets say so: the copy where it comes from, the source where it goes. The secret
 * controller follows a copy only when both agree, so that whoever can write secrets in one namespace cannot pull those of another.
 */
export const FROM_NAMESPACE = 'from.propagate.crossplane.io/namespace'
export const FROM_NAME = 'from.propagate.crossplane.io/name'
export const TO_PREFIX = 'to.propagate.crossplane.io/'
/** On copies, so that they can be watched without watching every secret there is. */
export const COPY_LABEL = 'weft.dev/connection-copy'

/** The annotation of a source that allows one copy: `to.propagate.crossplane.io/<hash of ns/name>: ns/name`. */
export function allowance({ namespace, name }: SecretAddress): { readonly key: string; readonly value: string } {
  const value = `${namespace}/${name}`
  return { key: `${TO_PREFIX}${fnv1a(value)}`, value }
}

/** Where a copy says it comes from. */
export function sourceOf({ metadata }: Secret): SecretAddress | undefined {
  const annotations = metadata.annotations ?? {}
  const namespace = getOwn(annotations, FROM_NAMESPACE)
  const name = getOwn(annotations, FROM_NAME)
  return typeof namespace === 'string' && typeof name === 'string' && name !== '' ? { namespace, name } : undefined
}

/** Does the source allow this copy? */
export function allows({ metadata }: Secret, to: SecretAddress): boolean {
  const { key, value } = allowance(to)
  return getOwn(metadata.annotations ?? {}, key) === value
}

/** The copies that a source allows. */
export function copiesOf({ metadata }: Secret): readonly SecretAddress[] {
  return Object.entries(metadata.annotations ?? {}).flatMap(([key, value]) => {
    const slash = value.indexOf('/')
    return key.startsWith(TO_PREFIX) && slash > 0 ? [{ namespace: value.slice(0, slash), name: value.slice(slash + 1) }] : []
  })
}

/** What became of it. `pending`: the source has not been published yet. `none`: one side wants no secret. */
export type Propagation = 'none' | 'pending' | 'written' | 'same'

/**
 * Copies the connection secret of `from` (a resource, a group, a composite) to where `to` (a claim, a requirement) wants it. Both must control
 * their own secret; otherwise it rejects with a BindingError SecretRefused. Idempotent. Later changes of the source follow without the caller.
 */
export async function propagateConnection(client: Client, from: KubeObject, to: KubeObject, find?: FindSecret): Promise<Propagation> {
  const target = connectionSecretAddress(to)
  if (target === undefined || (connectionSecretAddress(from) === undefined && composedSecrets(from).length === 0)) return 'none'
  const source = await findPublished(client, from, find)
  if (source === undefined) return 'pending'
  const annotations = { [FROM_NAMESPACE]: source.metadata.namespace ?? '', [FROM_NAME]: source.metadata.name ?? '' }
  const labels = { [COPY_LABEL]: 'true' }
  const wrote = await writeConnection(
    client,
    { owner: to, address: target, data: source.data ?? {}, annotations, labels, exact: true },
    find,
  )
  // After the copy, so that an allowance never names a secret that the claim turned out not to own.
  if (!allows(source, target)) await client.update(withAllowance(source, target))
  return wrote ? 'written' : 'same'
}

/** Ends the propagation: the source stops allowing the copy. The copy itself goes with its owner. */
export async function stopPropagation(client: Client, from: KubeObject, to: KubeObject): Promise<void> {
  const target = connectionSecretAddress(to)
  if (target !== undefined) await withdraw(client, from, target)
}

/** The source stops allowing a copy at this address. */
export async function withdraw(client: Client, from: KubeObject, target: SecretAddress): Promise<void> {
  const origin = connectionSecretAddress(from)
  for (const address of origin === undefined ? composedSecrets(from) : [origin]) {
    const source = await client.find(secretKind, address)
    if (source === undefined || !allows(source, target)) continue
    const annotations = { ...source.metadata.annotations }
    delete annotations[allowance(target).key]
    await client.update(withMeta(source, { annotations }))
  }
}

function withAllowance(source: Secret, to: SecretAddress): Secret {
  const { key, value } = allowance(to)
  const annotations: Record<string, string> = { ...source.metadata.annotations }
  setOwn(annotations, key, value)
  return withMeta(source, { annotations })
}

/** 64-bit FNV-1a in hex: short enough for an annotation's name, and it only has to tell apart what one secret goes to. */
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, '0')
}
