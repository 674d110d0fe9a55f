import { getOwn, type KubeObject } from '@weft/api'
import { machineryOf, machineryRef } from '@weft/composition'
import { matchLabelsOf } from '../binding/spec-reference.ts'
import { CompositeError } from './composite-error.ts'
import type { CompositeType } from './composite-type.ts'
import { composedBy } from './record.ts'
import type { CompositeSettings } from './settings.ts'

/** C18: where a composite gets its Composition from; the first that applies counts. */
export type Choice =
  /** This one. `why` tells what decided. */
  | { readonly type: 'named'; readonly name: string; readonly why: 'frozen' | 'forced' | 'given' | 'default' }
  /** One of those with these labels. */
  | { readonly type: 'labelled'; readonly labels: Readonly<Record<string, string>> }
  /** Nobody says; nothing is composed, and that is no error. */
  | { readonly type: 'none' }

export function choiceOf(composite: KubeObject, { place }: CompositeType, settings: CompositeSettings): Choice {
  // Once something is composed, the set of templates must not change under it (C4): what composed it goes on to do so.
  const frozen = composedBy(composite)
  if (frozen !== undefined) return { type: 'named', name: frozen, why: 'frozen' }
  if (settings.forceComposition !== undefined) return { type: 'named', name: settings.forceComposition, why: 'forced' }
  const given = compositionRefOf(composite, place)
  if (given !== undefined) return { type: 'named', name: given, why: 'given' }
  const selector = matchLabelsOf(getOwn(machineryOf(composite, place), 'compositionSelector'))
  if (selector !== undefined) return { type: 'labelled', labels: selector }
  return settings.defaultComposition === undefined ? { type: 'none' } : { type: 'named', name: settings.defaultComposition, why: 'default' }
}

/** The Composition that the author, or this controller, wrote down. */
export function compositionRefOf(composite: KubeObject, place: CompositeType['place']): string | undefined {
  const ref = machineryRef(composite, place, 'compositionRef')
  if (!ref.ok) throw new CompositeError('FieldInvalid', ref.error.message)
  const name = ref.value?.name
  return name === undefined || name === '' ? undefined : name
}
