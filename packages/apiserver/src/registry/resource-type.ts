import type { GroupVersion, GroupVersionKind, KubeObject, Schema } from '@weft/api'
import type { Parts } from '../apply/index.ts'
import type { Column, NameRule, Strategy, Verb } from '../kinds/index.ts'
import type { ObjectStore } from './store.ts'

/**
 * What the server needs to know to serve one resource in one API version. Built-in kinds come from the table in
 * `kinds/`, custom ones from CustomResourceDefinitions; from here on nothing knows the difference.
 * A CRD with three versions makes three resource types over one store.
 */
export interface ResourceType extends GroupVersion {
  readonly kind: string
  readonly listKind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly Verb[]
  readonly storage: StorageLocation
  readonly subresources: readonly SubresourceType[]
  /** The structural schema; undefined = anything goes (deduced typing for apply). */
  readonly schema: Schema | undefined
  /** Defined by a CustomResourceDefinition. Their schemas are enforced; those of built-in kinds describe what decoding enforces. */
  readonly custom: boolean
  /**
   * Reads a JSON object as this type: drops what the type does not know (telling `onUnknown`), and fills defaults.
   * Throws BadRequest for what cannot be an object of this type at all. The same reference when nothing changes.
   */
  decode(object: KubeObject, onUnknown?: (path: string) => void): KubeObject
  /** The same for large objects. Absent: it is one part. */
  readonly decodeInParts?: ((object: KubeObject, onUnknown?: (path: string) => void) => Parts<KubeObject>) | undefined
  /** Fills defaults and nothing else: what was applied has been checked against the schema already. Absent: `decode` does it. */
  fill?(object: KubeObject): KubeObject
  /** Drops what the schema does not know: what was applied is stored so, but judged and counted before. */
  prune?(object: KubeObject): KubeObject
  /** `object` is as `decode` would have it: its parts need not be read again. */
  learn?(object: KubeObject): void
  /** What an object is before anybody has said anything: the fields that Go always writes. Nobody comes to own those. */
  readonly zero?: KubeObject
  readonly columns: readonly Column[]
  /** Fields that `fieldSelector` may name besides metadata.name and metadata.namespace. */
  readonly selectableFields: ReadonlyMap<string, (object: KubeObject) => string>
  readonly strategy: Strategy
  /** Does this update count in metadata.generation? undefined: the kind has none. */
  readonly bumpsGeneration: ((next: KubeObject, old: KubeObject) => boolean) | undefined
  readonly deletion: Deletion
  /** Values that the server hands out, each to one object of the kind. */
  readonly allocation?: Allocation
  /** Between this version and the stored one. Identity when they are the same. */
  readonly conversion: Conversion | undefined
  /** Printed as the `deprecated` warning header on every request. */
  readonly deprecationWarning?: string
}

export interface StorageLocation extends GroupVersion {
  /** Keys are `${prefix}${namespace}/${name}` or `${prefix}${name}`; ends with a slash. */
  readonly prefix: string
  readonly kind: string
}

/** A part of the object with an endpoint of its own. Its strategy decides what a write there may touch. */
export interface SubresourceType {
  readonly name: string
  readonly verbs: readonly Verb[]
  readonly strategy: Strategy
  /** Kind of its bodies, when not the kind itself (TokenRequest, Scale). */
  readonly kind?: GroupVersionKind
  readonly scale?: ScaleMapping
}

export interface ScaleMapping {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
  /** Of built-in kinds, which keep no text of it. */
  selector?(object: KubeObject): string
}

/** What a kind has to say about being deleted. */
export interface Deletion {
  /** What a DELETE that cannot finish yet leaves on the object (a phase, a condition, a finalizer of the kind's own). */
  begin?(object: KubeObject, now: string): KubeObject
  /** Seconds that the object is granted to end; it stays that long, or until whoever ends it says so. Absent: it goes at once. */
  gracePeriod?(object: KubeObject, wanted: number | undefined): number
  /** A DELETE that is done answers the object that it removed, not a Status. */
  readonly answersObject?: boolean
  /** Does something besides metadata.finalizers keep the object (a namespace's spec.finalizers)? */
  isHeld?(object: KubeObject): boolean
}

export interface Allocation {
  /**
   * Called between mutating admission and the kind's own changes, on create and update of the object itself. Throws
   * Invalid where what was asked for cannot be had.
   */
  begin(next: KubeObject, live: KubeObject | undefined, context: AllocationContext): Allocated
}

export interface AllocationContext {
  readonly store: ObjectStore
  readonly dryRun: boolean
  /** In [0, 1). */
  readonly random: () => number
}

export interface Allocated {
  readonly object: KubeObject
  /** Must be called when the write is over, whether it succeeded or not: from then on what is stored counts. */
  settle(): void
}

/** Both directions answer objects of the other version with metadata kept; webhook conversion makes them asynchronous. */
export interface Conversion {
  /** A webhook converts: one question about many objects is better than many questions. */
  readonly asks?: boolean
  toStored(objects: readonly KubeObject[]): readonly KubeObject[] | Promise<readonly KubeObject[]>
  fromStored(objects: readonly KubeObject[]): readonly KubeObject[] | Promise<readonly KubeObject[]>
}

/** The rules for a write to the object itself or to one of its subresources. */
export function strategyFor(type: ResourceType, subresource: string): Strategy {
  return subresource === '' ? type.strategy : (type.subresources.find(({ name }) => name === subresource)?.strategy ?? type.strategy)
}

export type { Column, NameRule, Strategy, Verb }
