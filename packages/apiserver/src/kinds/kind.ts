import type { GroupVersionKind, KubeObject } from '@weft/api'
import { type Column, createdAtColumn, nameColumn } from './column.ts'
import { type Message, list, opt, req, root } from './message.ts'
import { listMeta } from './meta.ts'
import { type Strategy, strategy } from './strategy.ts'

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

export const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** One built-in kind, from which discovery, OpenAPI, storage, tables and the protobuf codec are all derived. */
export interface BuiltinKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly listKind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  /** What is served. `create` alone: nothing is stored; the answer is computed (reviews). */
  readonly verbs: readonly Verb[]
  readonly message: Message
  readonly columns: readonly Column[]
  /** Values for field selectors, beside metadata.name and (when namespaced) metadata.namespace, which every kind has. */
  readonly selectableFields: Readonly<Record<string, (object: KubeObject) => string>>
  readonly strategy: Strategy
  readonly subresources: readonly Subresource[]
  /** Top-level fields whose change raises metadata.generation; empty: the kind has no generation. */
  readonly generation: readonly string[]
  /** Set when this is another view of objects that are stored as a different kind. */
  readonly storedAs?: StoredAs
}

export interface Subresource {
  readonly name: 'status' | 'finalize' | 'token' | 'approval' | 'scale'
  readonly verbs: readonly Verb[]
  /** Kind of its bodies, when not the kind itself. */
  readonly kind?: GroupVersionKind
  readonly message: Message
  readonly strategy: Strategy
  /** Of the scale: where the object keeps what it shows. */
  readonly scale?: ScaleFields
}

/** Where an object keeps its number of replicas, as dotted paths, and which objects those are. */
export interface ScaleFields {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  selector(object: KubeObject): string
}

export interface StoredAs extends GroupVersionKind {
  toStored(object: KubeObject): KubeObject
  fromStored(object: KubeObject): KubeObject
}

type Given = Pick<BuiltinKind, 'group' | 'kind' | 'plural' | 'namespaced' | 'message'> & Partial<BuiltinKind>

/** A row with Kubernetes' usual names and verbs where none are given. */
export function builtin(given: Given): BuiltinKind {
  return {
    version: 'v1',
    listKind: `${given.kind}List`,
    singular: given.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: allVerbs,
    columns: [nameColumn, createdAtColumn],
    selectableFields: {},
    strategy: strategy(),
    subresources: [],
    generation: [],
    ...given,
  }
}

/** A kind that is asked and answered, never stored. */
export const review = (given: Given): BuiltinKind => builtin({ ...given, listKind: '', verbs: ['create'] })

/** `get`, `patch` and `update` on a part of the object. */
export const part = (name: Subresource['name'], message: Message, of: Strategy): Subresource => ({
  name,
  verbs: ['get', 'patch', 'update'],
  message,
  strategy: of,
})

/** The message of lists of a kind. Its component is published though no client sends it. */
export function listMessage(kind: BuiltinKind): Message {
  return root(`${kind.message.name}List`, `A list of ${kind.kind} objects.`, () => ({
    metadata: opt(1, listMeta, 'Metadata of the list.'),
    items: req(2, list(kind.message, 'undeclared'), 'The objects.'),
  }))
}
