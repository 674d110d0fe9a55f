import { getOwn, type KubeObject, setOwn, withMeta } from '@weft/api'
import { type Client, type Secret, secretKind } from '@weft/client'
import type { SecretData } from '@weft/composition'
import { composedSecrets, findPublished } from './published.ts'
import { connectionSecretAddress, type FindSecret, publishConnection, type SecretAddress, writeConnection } from './secret.ts'

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

/** A copy that was made, or was there. */
export interface Copied {
  readonly outcome: Propagation
  /**
   * Has later changes of the source follow: to be called after the copy, and never without it, so that an allowance names no secret that turned out not to be the
   * claim's. Nothing is written where the source allows it already.
   */
  allow(): Promise<void>
}

/**
 * Copies the connection secret of `from` (a resource, a group, a composite) to where `to` (a claim, a requirement) wants it. Both must control
 * their own secret; otherwise it rejects with a BindingError SecretRefused. Idempotent.
 */
export async function copyConnection(client: Client, from: KubeObject, to: KubeObject, find?: FindSecret): Promise<Copied> {
  const target = connectionSecretAddress(to)
  if (target === undefined || (connectionSecretAddress(from) === undefined && composedSecrets(from).length === 0)) return nothing('none')
  const source = await findPublished(client, from, find)
  if (source === undefined) return nothing('pending')
  const { namespace = '', name = '' } = source.metadata
  const wrote = await writeCopy(client, { of: { namespace, name }, to, target, data: source.data ?? {} }, find)
  return {
    outcome: wrote ? 'written' : 'same',
    async allow() {
      if (!allows(source, target)) await client.update(withAllowance(source, target))
    },
  }
}

const nothing = (outcome: Propagation): Copied => ({ outcome, allow: () => Promise.resolve() })

/** The same, and later changes of the source follow without the caller. */
export async function propagateConnection(client: Client, from: KubeObject, to: KubeObject, find?: FindSecret): Promise<Propagation> {
  const { outcome, allow } = await copyConnection(client, from, to, find)
  await allow()
  return outcome
}

interface Copy {
  readonly of: SecretAddress
  readonly to: KubeObject
  readonly target: SecretAddress
  readonly data: SecretData
}

const writeCopy = (client: Client, { of, to, target, data }: Copy, find?: FindSecret): Promise<boolean> =>
  writeConnection(
    client,
    {
      owner: to,
      address: target,
      data,
      annotations: { [FROM_NAMESPACE]: of.namespace, [FROM_NAME]: of.name },
      labels: { [COPY_LABEL]: 'true' },
      exact: true,
    },
    find,
  )

/**
 * Publishes what `from` offers and copies it to where `to` wants it. What is published for the first time is made with leave to be copied, after the copy: one
 * write less than publishing, copying and allowing. Interrupted in between, it leaves a copy that nobody follows until it is done again.
 */
export async function publishAndPropagate(client: Client, { from, to, data, exact, find }: Publication): Promise<Propagation> {
  const [source, target] = [connectionSecretAddress(from), connectionSecretAddress(to)]
  if (source === undefined || target === undefined || (await find(source)) !== undefined) {
    await publishConnection(client, from, data, { find, exact })
    return propagateConnection(client, from, to, find)
  }
  const wrote = await writeCopy(client, { of: source, to, target, data }, find)
  const { key, value } = allowance(target)
  const publication = { owner: from, address: source, data, exact, annotations: { [key]: value } }
  await writeConnection(client, publication, () => Promise.resolve(undefined))
  return wrote ? 'written' : 'same'
}

interface Publication {
  readonly from: KubeObject
  readonly to: KubeObject
  readonly data: SecretData
  readonly exact: boolean
  readonly find: FindSecret
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
