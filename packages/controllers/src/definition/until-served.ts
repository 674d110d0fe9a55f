import type { GroupKind } from '@weft/api'
import { type CustomResourceDefinition, customResourceDefinitionKind } from '@weft/client'
import { need, type Need } from '@weft/runtime'
import { sameKind } from '../bindings-table/well-known.ts'
import { definedKind, establishment } from './custom-resource-definition.ts'

/** Calls when one of the kinds begins to be served: nobody has to touch what waits for it (cross-seed case 1). */
export const untilServed = (kinds: readonly GroupKind[]): Need =>
  need<CustomResourceDefinition>({
    kind: customResourceDefinitionKind,
    wakes: ({ type, object }) =>
      type !== 'deleted' && establishment(object).established && kinds.some((kind) => sameKind(kind, definedKind(object))),
  })
