import type { KubeObject } from '@weft/api'
import { type KindInfo, kindKey } from '../kinds/kind-info.ts'
import { type Collection, nameKey, type WorldSnapshot } from './world.ts'

/** Kinds and objects for tests of what is pure in the app. */
export const kindInfo = (given: Partial<KindInfo> & Pick<KindInfo, 'kind'>): KindInfo => ({
  group: 'example.org',
  version: 'v1',
  plural: `${given.kind.toLowerCase()}s`,
  namespaced: false,
  categories: [],
  shortNames: [],
  verbs: ['get', 'list', 'watch'],
  ...given,
})

export const CLAIM: KindInfo = kindInfo({ kind: 'Claim', namespaced: true, categories: ['claim'] })
export const GROUP: KindInfo = kindInfo({ kind: 'CompositeResource', group: 'core.crossplane.io', categories: ['group'] })
export const MANAGED: KindInfo = kindInfo({ kind: 'Server', categories: ['managed'] })

type Ready = 'True' | 'False' | 'Unknown'

export interface Given {
  readonly namespace?: string
  readonly spec?: object
  readonly status?: object
  readonly ready?: Ready
  readonly synced?: Ready
  readonly message?: string
  readonly metadata?: object
  readonly more?: object
}

export function objectOf(kind: KindInfo, name: string, given: Given = {}): KubeObject {
  const { namespace, spec = {}, status = {}, ready, synced, message, metadata = {}, more = {} } = given
  const condition = (type: string, value: Ready | undefined): object[] =>
    value === undefined
      ? []
      : [{ type, status: value, reason: value === 'True' ? 'Available' : 'Waiting', ...(message !== undefined && { message }) }]
  return {
    apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: {
      name,
      uid: `uid-${kind.kind}-${name}`,
      resourceVersion: '1',
      ...(kind.namespaced && { namespace: namespace ?? 'default' }),
      ...metadata,
    },
    spec,
    status: { conditions: [...condition('Ready', ready), ...condition('Synced', synced)], ...status },
    ...more,
  }
}

export function collectionOf(kind: KindInfo, objects: readonly KubeObject[], more: Partial<Collection> = {}): Collection {
  return {
    kind,
    scope: '',
    state: { phase: 'watching' },
    loaded: true,
    objects: new Map(objects.map((object) => [nameKey(object.metadata.namespace, object.metadata.name ?? ''), object])),
    ...more,
  }
}

export const worldOf = (...collections: readonly Collection[]): WorldSnapshot => ({
  collections: new Map(collections.map((collection) => [kindKey(collection.kind), collection])),
})

/** A claim bound to a group of `count` servers. */
export function claimOfServers(count: number, state: (i: number) => Given = () => ({ ready: 'True', synced: 'True' })): WorldSnapshot {
  const members = Array.from({ length: count }, (_, i) =>
    objectOf(MANAGED, `server-${i}`, { spec: { forProvider: {}, compositeRef: refTo(GROUP, 'g') }, ...state(i) }),
  )
  const group = objectOf(GROUP, 'g', {
    ready: 'True',
    synced: 'True',
    spec: { claimRef: { ...refTo(CLAIM, 'c'), namespace: 'default' } },
    status: { resources: members.map(({ metadata }) => refTo(MANAGED, metadata.name ?? '')) },
  })
  const claim = objectOf(CLAIM, 'c', { ready: 'True', synced: 'True', spec: { resourceRef: refTo(GROUP, 'g') } })
  return worldOf(collectionOf(CLAIM, [claim]), collectionOf(GROUP, [group]), collectionOf(MANAGED, members))
}

export const refTo = (kind: KindInfo, name: string): { apiVersion: string; kind: string; name: string } => ({
  apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
  kind: kind.kind,
  name,
})
