import { claimDefinitions } from './claims.ts'
import { compositeResourceDefinition } from './composite-resource-definition.ts'
import { compositionDefinitions } from './composition.ts'
import type { KindDefinition } from './definition.ts'
import { environmentConfig } from './environment-config.ts'
import { groupDefinitions } from './groups.ts'
import { managedDefinitions } from './managed.ts'
import { operationDefinitions } from './operations.ts'
import { packageDefinitions } from './packages.ts'
import { usageDefinitions } from './usages.ts'

/** Every kind that Weft itself defines. The control plane installs them wherever it runs. */
export const weftKinds: readonly KindDefinition[] = [
  ...claimDefinitions,
  ...groupDefinitions,
  ...compositionDefinitions,
  compositeResourceDefinition,
  environmentConfig,
  ...managedDefinitions,
  ...packageDefinitions,
  ...usageDefinitions,
  ...operationDefinitions,
]

export { terraformReview } from './terraform-review.ts'
export { isOfWeft, PART_OF_WEFT } from './ownership.ts'
export { claimFields } from './claims.ts'
export { compositionMachinery } from './composition.ts'
export { conditions as conditionsSchema, type KindDefinition } from './definition.ts'
