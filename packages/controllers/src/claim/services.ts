import type { GroupKind, KubeObject } from '@weft/api'
import type { Client, Clock, Random, Secret } from '@weft/client'
import type { EventRecorder } from '@weft/runtime'
import type { BindingsTable } from '../bindings-table/table.ts'
import type { FindSecret, SecretAddress } from '../connection/secret.ts'
import type { GoneClaims } from './gone-claims.ts'
import type { KindWatches } from './kind-watches.ts'
import type { ServedKinds } from './served-kinds.ts'

/** What choosing a class, and finding what it stands for, depends on: the table, and the classes themselves. `weft render` has them from files. */
export interface KnownClasses {
  readonly watches: { reader(kind: GroupKind): { list(): readonly KubeObject[] } | undefined }
  /** The table as it is now. */
  table(): BindingsTable
}

/** What everything that deals with claims shares. */
export interface ClaimServices extends KnownClasses {
  readonly watches: KindWatches
  readonly served: ServedKinds
  readonly events: EventRecorder
  readonly clock: Clock
  readonly random: Random
  /** Bases that the server accepted, by class revision: a class is checked once, not once for each claim. */
  readonly acceptedBases: Set<string>
  /** Connection secrets from memory; others, and those that are too new, from the server. */
  findSecret(client: Client, address: SecretAddress): Promise<Secret | undefined>
  /** Connection secrets that the object with this uid controls, from memory. */
  secretsControlledBy(uid: string): readonly Secret[]
  /** Claims that were seen to go: what still names them is released, also when nothing held their deletion back. */
  readonly gone: GoneClaims
  /** Claims that a kind's absence holds up are looked at again when it comes. */
  waitForKind(kind: GroupKind, claim: KubeObject): void
}

/** One reconcile of one claim. */
export interface ClaimTask extends ClaimServices {
  /** Bound to the reconcile: it refuses further requests when that is over. */
  readonly client: Client
}

export const secretsOf =
  ({ client, findSecret }: ClaimTask): FindSecret =>
  (address) =>
    findSecret(client, address)

/** How far a claim has come. Ignored: nothing that is responsible for it would do anything (A11c). */
export type Progress = 'settled' | 'waiting' | 'ignored'
