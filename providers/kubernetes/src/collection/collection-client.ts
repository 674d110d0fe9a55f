import {
  deepEqual,
  formatLabelSelector,
  type GroupVersionKind,
  type JsonObject,
  type KubeObject,
  type LabelSelector,
  requirementsOf,
} from '@weft/api'
import type { Client, ObjectRef } from '@weft/client'
import { ExternalError, type ExternalClient, type ManagedResource, specOf } from '@weft/provider-sdk'
import type { Cluster } from '../cluster/cluster.ts'
import { objectAt, textAt } from '../object/manifest.ts'
import { criteriaOf, MEMBERSHIP, memberOf, observedKindOf } from './member.ts'

const MANAGER = 'provider-kubernetes/collections'
/** Each becomes an Object here: a selector that matches a whole cluster is a mistake, or worse. */
const MAX_MEMBERS = 1_000
const AT_A_TIME = 10

/**
 * A collection: an Object that is only observed for each object on the cluster that the selector matches. Its external resource is the set of these
 * Objects; they are its own by owner reference, and go with it. `objects` is the kind that they are of.
 */
export function collectionClient(cluster: Cluster, client: Client, objects: GroupVersionKind): ExternalClient {
  const look = async (collection: ManagedResource, signal: AbortSignal): Promise<Members> => {
    const wanted = await matches(collection, cluster, signal)
    const { namespace, name = '' } = collection.metadata
    const { items } = await client.list(objects, { namespace, labels: `${MEMBERSHIP}=${name}`, signal })
    const own = items.filter((item) => isOwn(item, collection))
    const byName = new Map(own.map((item) => [item.metadata.name ?? '', item]))
    const members = new Map(wanted.map((ref) => memberOf(collection, ref, objects)).map((member) => [member.metadata.name ?? '', member]))
    return {
      missing: [...members.values()].filter((member) => !isAsWanted(byName.get(member.metadata.name ?? ''), member)),
      surplus: own.filter(({ metadata }) => !members.has(metadata.name ?? '')),
    }
  }
  return {
    async observe(collection, { signal }) {
      const { missing, surplus } = await look(collection, signal)
      return {
        exists: true,
        upToDate: missing.length === 0 && surplus.length === 0,
        difference: `${missing.length} to observe, ${surplus.length} to forget`,
        readiness: 'available',
        status: { membershipLabel: { [MEMBERSHIP]: collection.metadata.name ?? '' } },
      }
    },
    create: () => Promise.resolve({}),
    async update(collection, { signal }) {
      const { missing, surplus } = await look(collection, signal)
      await inTurns(missing, async (member) => {
        const { name = '', namespace } = member.metadata
        const there = await client.find(objects, { name, namespace }, { signal })
        if (there !== undefined && !isOwn(there, collection))
          throw new ExternalError(
            'AlreadyExists',
            `there is an Object ${name} that is not of this collection: give the collection another name`,
          )
        await client.apply(member, { fieldManager: MANAGER, force: true, signal })
      })
      await inTurns(surplus, ({ metadata: { name = '', namespace, uid } }) =>
        client.delete(objects, { name, namespace }, { ...(uid !== undefined && { preconditions: { uid } }), signal }),
      )
      return {}
    },
    // The Objects go with their owner.
    delete: () => Promise.resolve(),
  }
}

interface Members {
  readonly missing: readonly KubeObject[]
  readonly surplus: readonly KubeObject[]
}

async function matches(collection: ManagedResource, cluster: Cluster, signal: AbortSignal): Promise<readonly ObjectRef[]> {
  const criteria = criteriaOf(collection)
  const { items, complete } = await cluster.names(observedKindOf(collection), {
    namespace: textAt(criteria, 'namespace'),
    labels: labelsOf(objectAt(criteria, 'selector') ?? {}),
    most: MAX_MEMBERS,
    signal,
  })
  if (!complete)
    throw new ExternalError(
      'Invalid',
      `spec.observeObjects.selector matches more than ${MAX_MEMBERS} objects: narrow it, or name a namespace`,
    )
  return items
}

function labelsOf(selector: JsonObject): string {
  try {
    return formatLabelSelector(requirementsOf(selector as LabelSelector))
  } catch (error) {
    throw new ExternalError('Invalid', `spec.observeObjects.selector: ${error instanceof Error ? error.message : 'is not a selector'}`)
  }
}

const isOwn = ({ metadata }: KubeObject, collection: KubeObject): boolean =>
  (metadata.ownerReferences ?? []).some(({ uid }) => uid === collection.metadata.uid)

/** What the collection says of a member; the rest of it is others'. */
function isAsWanted(there: KubeObject | undefined, wanted: KubeObject): boolean {
  if (there === undefined) return false
  const has = (field: 'labels' | 'annotations'): boolean =>
    Object.entries(wanted.metadata[field] ?? {}).every(([key, value]) => there.metadata[field]?.[key] === value)
  return has('labels') && has('annotations') && deepEqual(specOf(there)['providerConfigRef'], specOf(wanted)['providerConfigRef'])
}

async function inTurns<T>(all: readonly T[], run: (one: T) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < all.length; i += AT_A_TIME) await Promise.all(all.slice(i, i + AT_A_TIME).map(run))
}
