import type { GroupKind, KubeObject } from '@weft/api'
import type { Client, Clock, ObjectRef, Random, Secret } from '@weft/client'
import type { EventRecorder, WatchSet } from '@weft/runtime'
import type { BindingsTable } from '../bindings-table/table.ts'
import { kindOnly } from '../bindings-table/well-known.ts'
import type { FindSecret, SecretAddress } from '../connection/secret.ts'
import type { JustChosen } from './chosen-news.ts'
import type { GoneClaims } from './gone-claims.ts'
import type { ServedKinds } from './served-kinds.ts'

/** What choosing a class, and finding what it stands for, depends on: the table, and the classes themselves. `weft render` has them from files. */
export interface KnownClasses {
  readonly watches: { reader(kind: GroupKind): { list(): readonly KubeObject[] } | undefined }
  /** The table as it is now. */
  table(): BindingsTable
}

/** What everything that deals with claims shares. */
export interface ClaimServices extends KnownClasses {
  /** The kinds of class, of managed resource and of group that there are, from memory. */
  readonly watches: WatchSet
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
  /** Claims that were given a class and a name by one write a moment ago. */
  readonly justChosen: JustChosen
  /** Claims that were seen to go: what still names them is released, also when nothing held their deletion back. */
  readonly gone: GoneClaims
}

/** One reconcile of one claim. */
export interface ClaimTask extends ClaimServices {
  /** Bound to the reconcile: it refuses further requests when that is over. */
  readonly client: Client
}

/** From memory where it is there, else from the server: what memory does not have may just be new. */
export const findObject = async (
  { watches, client }: Pick<ClaimTask, 'watches' | 'client'>,
  kind: GroupKind,
  ref: ObjectRef,
): Promise<KubeObject | undefined> => watches.reader(kindOnly(kind))?.get(ref) ?? (await client.find(kindOnly(kind), ref))

export const secretsOf =
  ({ client, findSecret }: ClaimTask): FindSecret =>
  (address) =>
    findSecret(client, address)

/** How far a claim has come. Ignored: nothing that is responsible for it would do anything (A11c). */
export type Progress = 'settled' | 'waiting' | 'ignored'
