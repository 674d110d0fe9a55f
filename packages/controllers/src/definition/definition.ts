import type { Condition, GroupVersionKind, KubeObject } from '@weft/api'
import type { Client, CustomResourceDefinition, StaticKind } from '@weft/client'
import type { EventDetails, ReconcileContext, WatchSpec } from '@weft/runtime'

/** On everything that defines a kind: its instances and its CustomResourceDefinition go first. */
export const DEFINITION_FINALIZER = 'finalizer.apiextensions.crossplane.io'
/** On a publication and on what it publishes: a definition cannot go while it is published. */
export const PUBLISHED_FINALIZER = 'published.apiextensions.crossplane.io'

/** What a definition asks for. */
export type Rendering =
  /** This CustomResourceDefinition, to be controlled by the definition. */
  | { readonly type: 'wanted'; readonly crd: CustomResourceDefinition }
  /** None, and that is fine: not activated. */
  | { readonly type: 'unwanted'; readonly message: string }
  /** None, until the definition or something it refers to changes. The adapter watches what that is. */
  | { readonly type: 'blocked'; readonly message: string }

/** A kind that is served, and is to be taken away again. */
export interface DefinedKind extends GroupVersionKind {
  readonly plural: string
  readonly namespaced: boolean
}

export interface MemberRef {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string | undefined
}

/** How far a definition has come. `Pending`: waiting, or refused. */
export type Progress = 'Established' | 'Inactive' | 'Pending' | 'Terminating'

/** Something to tell in an event; a problem is a warning. */
export type DefinitionNews =
  | { readonly type: 'created' | 'updated' | 'pending'; readonly crd: string }
  | { readonly type: 'draining'; readonly left: number }
  | { readonly type: 'refused'; readonly error: unknown }

/** In whose words a definition tells of itself. Those of the house: `Established`, with reasons that end in `noun`, and a message that says why. */
export interface DefinitionWords<D extends KubeObject = KubeObject> {
  /** Undefined: nothing is said of it in the status. */
  condition(progress: Progress, message: string | undefined): Condition | undefined
  event(news: DefinitionNews): EventDetails | undefined
  /** Further fields of the status. */
  fields?(definition: D, progress: Progress): Readonly<Record<string, unknown>>
}

/**
 * One kind of definition. The reconciler does the same for all: render → apply → Established → start; and in reverse, instances first, on deletion.
 * Every method must be idempotent: it is called on each pass, also after a crash in the middle.
 */
export interface DefinitionAdapter<D extends KubeObject = KubeObject> {
  /** Names the controller, and the source of its events: `definition/managed`. */
  readonly component: string
  readonly kind: StaticKind<D>
  /** Ends the reasons of the Established condition: `EstablishedManagedResource`. */
  readonly noun: string
  /** Unless those of the house will do. */
  readonly words?: DefinitionWords<D>
  /** Which of its CustomResourceDefinitions this is about, where there are several. */
  crdName?(definition: D): string
  readonly finalizer: string
  /** Who writes the definition and its CustomResourceDefinition; the client's own unless given. */
  readonly fieldManager?: string
  /** What else may change a rendering. */
  readonly watches?: readonly WatchSpec<KubeObject, D>[]
  render(definition: D, context: ReconcileContext<D>): Rendering | Promise<Rendering>
  /** Whoever installed the definition looks after its kind, too: both are left as they are. Asked while there is a CustomResourceDefinition. */
  isKeptElsewhere?(definition: D, crd: CustomResourceDefinition): boolean
  /** Before the definition is first acted upon: claims what it depends on. */
  claim?(definition: D, client: Client): Promise<void>
  /** The kind is served: starts its controllers, or tells them of a change. */
  start?(definition: D, crd: CustomResourceDefinition): Promise<void>
  /** What an instance made and controls: deleted with it, when the definition goes. */
  membersOf?(instance: KubeObject): readonly MemberRef[]
  /** No instance is left: stops them. */
  stop?(definitionName: string): Promise<void>
  /** Why a deleted definition must stay as it is for now. */
  heldBy?(definition: D): string | undefined
  /** Everything is gone: gives back what `claim` took. */
  release?(definition: D, client: Client): Promise<void>
}

/** Why a definition cannot be put into effect; the message ends up in its condition. */
export class DefinitionError extends Error {
  readonly code: 'Owned' | 'Terminating' | 'Rejected'

  constructor(code: DefinitionError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DefinitionError'
    this.code = code
  }
}
