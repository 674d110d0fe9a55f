import type { KubeObject } from '@weft/api'
import { machineryRef, type MachineryPlace, type TraceRef } from '@weft/composition'

const SOURCES: readonly (readonly [MachineryPlace, string])[] = [
  ['spec', 'classRef'],
  ['spec.infrastructure', 'compositionRef'],
  ['spec.application', 'compositionRef'],
  ['spec.crossplane', 'compositionRef'],
  ['spec', 'compositionRef'],
]

const COMPOSITION = { apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'Composition' }

/** The class or Composition that an object was made from, as it says itself. */
export function classOf(object: KubeObject): TraceRef | undefined {
  for (const [place, field] of SOURCES) {
    const ref = machineryRef(object, place, field)
    const found = ref.ok ? ref.value : undefined
    const { apiVersion, kind, name } = { ...(field === 'compositionRef' && COMPOSITION), ...found }
    if (apiVersion !== undefined && kind !== undefined && name !== undefined) return { apiVersion, kind, name }
  }
  return undefined
}
