import { generateName, type KubeObject } from '@weft/api'
import type { Client, Kind, Random } from '@weft/client'
import type { MachineryPlace } from '@weft/composition'
import { withFinalizer } from './finalizers.ts'
import { withMachinery } from './spec-reference.ts'

/*
 * Names before things (X2). Whoever has something made for it (an intent: a claim, a requirement) refers to it by name, and is held by a finalizer, before it is
 * made: a crash leaves a name without an object, never an object that nobody knows. A name that was lost, because somebody replaced the intent by its file, is
 * found again by a mark that what was made carries for life; the mark only finds, and a reference back by uid decides.
 *
 * Composites are named otherwise, on purpose. Those that templates compose keep a list of names, one for each template, in which places count
 * (composite/compose.ts); they find what was lost by `findMade` as well. Names of what functions compose follow from the uid of their composite
 * (xr/names.ts): they are the same after a crash, and there is nothing to find.
 */

/** How an intent refers to what is made for it. */
export interface NewReference {
  readonly apiVersion: string
  readonly kind: string
  /** Of what is in one. */
  readonly namespace?: string
  readonly name: string
}

/** A reference to something that is to be made. The name is random: whether somebody has it already is seen when it is made. */
export const newReference = (
  type: Omit<NewReference, 'name'>,
  { prefix, random }: { readonly prefix: string; readonly random: Random },
): NewReference => ({ ...type, name: generateName(prefix, random) })

export interface Holding {
  /** Where the intent keeps its reference. */
  readonly place: MachineryPlace
  readonly finalizer: string
  readonly resourceRef: NewReference
}

/** The intent with the reference and the finalizer: to be written by one update, before anything is made. The same object when it has both. */
export const holding = <T extends KubeObject>(intent: T, { place, finalizer, resourceRef }: Holding): T =>
  withMachinery(withFinalizer(intent, finalizer), place, { resourceRef })

/**
 * Was its spec written at least so often since the object was made? A name is written into it before it can be lost: one that was written less often has
 * nothing to find. Perhaps, where a kind counts no generations.
 */
export const wasWritten = ({ metadata: { generation = Infinity } }: KubeObject, times: number): boolean => generation > times

export interface Mark {
  readonly label: string
  readonly value: string
  readonly namespace?: string | undefined
}

/** What was made for an owner and bears its mark, from the server: what was made a moment ago may not be in memory yet. */
export async function findMade(
  client: Client,
  kind: Kind,
  { label, value, namespace }: Mark,
  isIts: (object: KubeObject) => boolean,
): Promise<readonly KubeObject[]> {
  const { items } = await client.list(kind, { namespace, labels: { matchLabels: { [label]: value } } })
  return items.filter(isIts)
}
