import { defineKind, type StaticKind } from '@weft/client'
import { DEFINITION_GROUP } from '../definition/kinds.ts'

/** Compositions as Crossplane writes them: the same objects as those of seed 002, under another version. */
export const pipelineCompositionKind: StaticKind = defineKind({
  group: DEFINITION_GROUP,
  version: 'v1',
  kind: 'Composition',
  plural: 'compositions',
  namespaced: false,
})

export const compositionRevisionKind: StaticKind = defineKind({
  group: DEFINITION_GROUP,
  version: 'v1',
  kind: 'CompositionRevision',
  plural: 'compositionrevisions',
  namespaced: false,
})
