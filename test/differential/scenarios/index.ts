import type { Scenario } from '../scenario.ts'
import { customScenarios } from './custom.ts'
import { customWatchScenarios } from './custom-watches.ts'
import { deleteScenarios } from './deletes.ts'
import { fieldValidationScenarios } from './field-validation.ts'
import { flowControlScenarios } from './flow-control.ts'
import { formatScenarios } from './formats.ts'
import { kindScenarios } from './kinds/index.ts'
import { nodePortScenarios } from './node-ports.ts'
import { openObjectScenarios } from './open-objects.ts'
import { policyScenarios } from './policies.ts'
import { quotaScenarios } from './quotas.ts'
import { ratchetingScenarios } from './ratcheting.ts'
import { readScenarios } from './reads.ts'
import { serviceScenarios } from './services.ts'
import { storedKindScenarios } from './stored-kinds.ts'
import { writeScenarios } from './writes.ts'

/** Those of which `recorded/` has the answers. A new one goes below until it is recorded. */
export const recordedStories: readonly Scenario[] = [
  ...writeScenarios,
  ...readScenarios,
  ...deleteScenarios,
  ...kindScenarios,
  ...serviceScenarios,
  ...customScenarios,
  ...customWatchScenarios,
  ...fieldValidationScenarios,
  ...formatScenarios,
  ...policyScenarios,
  ...openObjectScenarios,
  ...ratchetingScenarios,
  ...quotaScenarios,
  ...flowControlScenarios,
]

export const scenarios: readonly Scenario[] = [...recordedStories, ...storedKindScenarios, ...nodePortScenarios]
