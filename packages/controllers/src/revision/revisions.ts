import { type KubeObject, specOf } from '@weft/api'
import type { IndexFunction, InformerReader } from '@weft/client'

/** Of which Composition a revision says it is. */
export const COMPOSITION_NAME_LABEL = 'crossplane.io/composition-name'
const BY_COMPOSITION = 'composition-name'

/** How revisions must be filed for `revisionsOf`: a composite's work must not grow with the history of everybody else's Compositions. */
export const REVISION_INDEXES: Readonly<Record<string, IndexFunction>> = {
  [BY_COMPOSITION]: ({ metadata: { labels } }) => {
    const composition = labels?.[COMPOSITION_NAME_LABEL]
    return composition === undefined ? [] : [composition]
  },
}

/** Those that say they are of this Composition. */
export const revisionsOf = (revisions: InformerReader, composition: string): readonly KubeObject[] =>
  revisions.byIndex(BY_COMPOSITION, composition)

/** The highest is the present one. */
export function numberOf(revision: KubeObject): number {
  const spec = specOf(revision)
  return typeof spec['revision'] === 'number' ? spec['revision'] : 0
}
