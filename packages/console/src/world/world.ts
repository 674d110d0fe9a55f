import { type KubeObject, parseGroupVersion } from '@weft/api'
import { type KindInfo, kindKey } from '../kinds/kind-info.ts'

/**
 * How far one list has come.
 *
 * - listing: it is being read. Fails → waiting, or refused, or absent.
 * - watching: complete, and kept so. Ends → watching again from the last revision; 410 → listing, with the old objects still shown.
 * - waiting: something failed; tried again at `retryAt`, by listing.
 * - refused: the user may not list this. Not tried again by itself: rights change rarely, and the user can reload.
 * - absent: the server does not know the kind (any more).
 */
export type CollectionState =
  | { readonly phase: 'listing' }
  | { readonly phase: 'watching' }
  | { readonly phase: 'waiting'; readonly why: string; readonly retryAt: number }
  | { readonly phase: 'refused'; readonly why: string }
  | { readonly phase: 'absent' }

/** All objects of one kind that somebody may see. Whoever holds one never sees it change: a change makes a new one. */
export interface Collection {
  readonly kind: KindInfo
  /** The one namespace that is watched; empty: all of them. */
  readonly scope: string
  readonly state: CollectionState
  /** Complete at least once; from then on shown, even while it is read again. */
  readonly loaded: boolean
  /** By `namespace/name`. */
  readonly objects: ReadonlyMap<string, KubeObject>
  /** It is not complete and will not be, because single objects are watched: which of them do not exist for sure, and of which nothing can be seen. */
  readonly partial?: { readonly absent: ReadonlySet<string>; readonly unseen: ReadonlySet<string> }
}

/** What is known at one moment, in a browser or on the console's server. Collections that did not change are the same objects as before. */
export interface WorldSnapshot {
  readonly collections: ReadonlyMap<string, Collection>
}

export const EMPTY_WORLD: WorldSnapshot = { collections: new Map() }

interface ObjectName {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
}

export const nameKey = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`

/** The object; null when it does not exist for sure; undefined when that is not known (not loaded, not watched, not permitted). */
export function find(world: WorldSnapshot, { apiVersion, kind, namespace, name }: ObjectName): KubeObject | null | undefined {
  const collection = world.collections.get(kindKey({ group: parseGroupVersion(apiVersion).group, kind }))
  if (collection === undefined) return undefined
  if (collection.kind.namespaced && collection.scope !== '' && collection.scope !== namespace) return undefined
  const key = nameKey(collection.kind.namespaced ? namespace : undefined, name)
  const isAbsent = (collection.loaded && collection.state.phase !== 'refused') || collection.partial?.absent.has(key) === true
  return collection.objects.get(key) ?? (isAbsent ? null : undefined)
}
