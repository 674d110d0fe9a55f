import { findCondition, type KubeObject } from '@weft/api'
import { customResourceDefinitionKind, type InformerReader, type Kind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import {
  applicationDefinitionKind,
  infrastructureDefinitionKind,
  infrastructurePublicationKind,
  managedResourceDefinitionKind,
} from '../definition/kinds.ts'
import type { ObjectReference } from './kinds.ts'
import type { Written } from './written.ts'

/** What a package may install that is in effect only once its kind is served. */
export const ESTABLISHED_KINDS: readonly Kind[] = [
  customResourceDefinitionKind,
  managedResourceDefinitionKind,
  infrastructureDefinitionKind,
  applicationDefinitionKind,
  infrastructurePublicationKind,
]

/**
 * - `served`: it is, or nobody has activated it.
 * - `pending`: nobody has said anything of it yet.
 * - `failed`: it is not, and will not be until somebody changes something.
 */
export type Establishment =
  | { readonly state: 'served' }
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly why: string }

export function establishmentOf(object: KubeObject): Establishment {
  const conditions = conditionsOf(object)
  const found = findCondition(conditions, 'Established')
  const names = findCondition(conditions, 'NamesAccepted')
  if (names?.status === 'False') return { state: 'failed', why: names.message ?? names.reason ?? 'its names are taken' }
  const isOld = found?.observedGeneration !== undefined && found.observedGeneration !== object.metadata.generation
  if (found === undefined || isOld || found.status === 'Unknown') return { state: 'pending' }
  if (found.status === 'True' || found.reason?.startsWith('Inactive') === true) return { state: 'served' }
  // A server says so of a definition that it has not come to yet.
  if (object.kind === customResourceDefinitionKind.kind && found.reason === 'NotAccepted') return { state: 'pending' }
  return { state: 'failed', why: found.message ?? found.reason ?? 'it is not established' }
}

export interface Establishments {
  /** `ManagedResourceDefinition buckets.example.org is not established: …` */
  readonly failed: readonly string[]
  readonly pending: readonly string[]
}

/** How it stands with what was installed, as the caches know it. Of `written`, what is older says nothing. */
export function establishmentsOf(
  refs: readonly ObjectReference[],
  written: ReadonlyMap<string, Written>,
  cached: (kind: Kind) => InformerReader<KubeObject>,
): Establishments {
  const failed: string[] = []
  const pending: string[] = []
  for (const ref of refs) {
    const kind = ESTABLISHED_KINDS.find((each) => each.kind === ref.kind)
    if (kind === undefined) continue
    const what = `${ref.kind} ${ref.name}`
    const live = cached(kind).get({ name: ref.name })
    const isKnown = live !== undefined && (live.metadata.generation ?? 0) >= (written.get(what)?.generation ?? 0)
    const found: Establishment = isKnown ? establishmentOf(live) : { state: 'pending' }
    if (found.state === 'pending') pending.push(what)
    if (found.state === 'failed') failed.push(`${what} is not established: ${found.why}`)
  }
  return { failed, pending }
}
