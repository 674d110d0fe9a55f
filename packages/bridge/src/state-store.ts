import { gvkOf, hasReason, type KubeObject, type OwnerReference, SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, type Secret, secretKind, sleep, systemClock } from '@weft/client'
import { FINALIZER } from '@weft/provider-sdk'
import { readRecord, recordData, RecordTooLargeError, type ResourceRecord } from './resource-record.ts'

/** Where records are kept: one Secret for each resource, found by the resource's uid. */
export interface StateStore {
  load(resource: KubeObject): Promise<ResourceRecord | undefined>
  /**
   * Resolves when the record is stored. Nobody else writes it, so the last one wins. `patient`: tries until it is, since what it says happened
   * and is known nowhere else.
   */
  save(resource: KubeObject, record: ResourceRecord, options?: { readonly patient?: boolean }): Promise<void>
  /**
   * Forgets all but that it is gone, and lets that go with the resource: were there nothing, whoever is killed before the resource goes would
   * look for what is gone.
   */
  remove(resource: KubeObject): Promise<void>
}

/** Whoever can write a state decides which external resource an object means, so it is kept where tenants have no rights. */
export const STATE_NAMESPACE: string = SYSTEM_NAMESPACE
const STATE_TYPE = 'terraform.weft.dev/state'
const LABEL = 'terraform.weft.dev/state-of'
const LONGEST_WAIT_MS = 30_000

export function secretStateStore(client: Client): StateStore {
  const refOf = ({ metadata }: KubeObject): { namespace: string; name: string } => ({
    namespace: STATE_NAMESPACE,
    name: `terraform-state-${metadata.uid ?? ''}`,
  })
  // As it was last seen. Only for writes, which fail when it is another one by now.
  let seen: { readonly uid: string | undefined; readonly secret: Secret | undefined } | undefined
  const find = async (resource: KubeObject): Promise<Secret | undefined> => {
    const secret = await client.find(secretKind, refOf(resource))
    seen = { uid: resource.metadata.uid, secret }
    return secret
  }
  const write = async (resource: KubeObject, record: ResourceRecord): Promise<void> => {
    const { namespace, name } = refOf(resource)
    const data = recordData(record)
    const current = seen !== undefined && seen.uid === resource.metadata.uid ? seen.secret : await find(resource)
    if (current !== undefined && current.type !== STATE_TYPE)
      throw new Error(`Secret ${namespace}/${name} is not the state of this resource, but has its name: remove it`)
    const secret: Secret = {
      ...(current ?? { apiVersion: 'v1', kind: 'Secret' }),
      metadata: { ...current?.metadata, namespace, name, ...ownership(resource) },
      type: STATE_TYPE,
      data,
    }
    seen = undefined
    const written = await (current === undefined ? client.create(secret) : client.update(secret))
    seen = { uid: resource.metadata.uid, secret: written }
  }
  return {
    async load(resource) {
      const secret = await find(resource)
      if (secret === undefined || secret.type !== STATE_TYPE) return undefined
      return readRecord(secret.data ?? {})
    },
    async save(resource, record, { patient = false } = {}) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await write(resource, record)
        } catch (error) {
          const lostRace = (['Conflict', 'AlreadyExists', 'NotFound'] as const).some((reason) => hasReason(error, reason))
          if (!(patient && !isPermanent(error)) && !(lostRace && attempt < 5)) throw error
          await sleep(systemClock, Math.min(50 * 2 ** attempt, LONGEST_WAIT_MS), new AbortController().signal)
        }
      }
    },
    async remove(resource) {
      const ref = refOf(resource)
      const current = await find(resource)
      if (current === undefined || current.type !== STATE_TYPE) return
      if (resource.metadata.namespace !== undefined) return void (await client.delete(secretKind, ref))
      seen = undefined
      const { type, provider } = readRecord(current.data ?? {})
      const metadata = { ...current.metadata, ownerReferences: [ownerOf(resource)] }
      await client.update({ ...current, metadata, data: recordData({ type, provider, gone: true }) })
    },
  }
}

/** Will the API server never take it, however often it is asked? */
export const isPermanent = (error: unknown): boolean =>
  error instanceof RecordTooLargeError ||
  (['Invalid', 'Forbidden', 'RequestEntityTooLarge', 'BadRequest'] as const).some((reason) => hasReason(error, reason))

/**
 * Who deletes a resource in the foreground has what it owns deleted first, and a state must not go before what it is the handle of. So the
 * Secret of a resource that manages something has no owner, and goes when our finalizer does; what only looks has no finalizer.
 */
function ownership(resource: KubeObject): Pick<KubeObject['metadata'], 'labels' | 'annotations' | 'ownerReferences'> {
  const { kind, metadata } = resource
  const { name = '', uid = '', namespace, finalizers = [] } = metadata
  const isOwned = namespace === undefined && !finalizers.includes(FINALIZER)
  const { group } = gvkOf(resource)
  return {
    labels: { [LABEL]: uid },
    annotations: { 'terraform.weft.dev/resource': `${kind}.${group} ${namespace === undefined ? '' : `${namespace}/`}${name}` },
    ownerReferences: isOwned ? [ownerOf(resource)] : [],
  }
}

const ownerOf = ({ apiVersion, kind, metadata: { name = '', uid = '' } }: KubeObject): OwnerReference => ({ apiVersion, kind, name, uid })
