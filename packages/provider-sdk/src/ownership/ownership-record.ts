import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { OWNERSHIP } from '../resource/annotations.ts'

/**
 * The record, in an annotation, of which external resource an object owns.
 *
 * `reserved`: asks for the name; nothing has been done with it. `held`: the name is its own, and what it created under that name is too.
 * `adopted`: so is what it found there, because an operator allowed that.
 */
export type OwnershipState = 'reserved' | 'held' | 'adopted'

export interface OwnershipRecord {
  /** Of the object that the record was written for: a copy of an object owns nothing. */
  readonly uid: string
  readonly state: OwnershipState
  /** The provider configuration, as `configOf` tells it. */
  readonly config: string
  /** What tells the external resource from all others of its kind there: its name, unless the kind says otherwise. */
  readonly name: string
  /** When it was adopted: there is no record of a creation then. */
  readonly at?: string
}

const STATES: readonly string[] = ['reserved', 'held', 'adopted'] satisfies OwnershipState[]

/** One reconcile asks several times, and nothing else comes in between. */
let last: { readonly text: string; readonly record: OwnershipRecord | undefined } | undefined

/** The record that was written for this very object. */
export function ownershipOf({ metadata }: KubeObject): OwnershipRecord | undefined {
  const text = getOwn(metadata.annotations ?? {}, OWNERSHIP)
  if (typeof text !== 'string') return undefined
  const record = last?.text === text ? last.record : parse(text)
  last = { text, record }
  return record !== undefined && record.uid === metadata.uid ? record : undefined
}

/** Does the object carry a record, be it one of another object that it was copied from? */
export const carriesRecord = ({ metadata }: KubeObject): boolean => getOwn(metadata.annotations ?? {}, OWNERSHIP) !== undefined

export const formatOwnership = ({ uid, state, config, name, at }: OwnershipRecord): string =>
  JSON.stringify({ uid, state, config, name, ...(at !== undefined && { at }) })

function parse(text: string): OwnershipRecord | undefined {
  try {
    const record: unknown = JSON.parse(text)
    const { uid, state, config, name, at } = isJsonObject(record) ? record : {}
    if (typeof uid !== 'string' || typeof config !== 'string' || typeof name !== 'string' || !isState(state)) return undefined
    return { uid, state, config, name, ...(typeof at === 'string' && { at }) }
  } catch {
    return undefined
  }
}

const isState = (value: unknown): value is OwnershipState => typeof value === 'string' && STATES.includes(value)
