import type { Scenario } from '../scenario.ts'
import { customScenarios } from './custom.ts'
import { customWatchScenarios } from './custom-watches.ts'
import { deleteScenarios } from './deletes.ts'
import { fieldValidationScenarios } from './field-validation.ts'
import { formatScenarios } from './formats.ts'
import { kindScenarios } from './kinds.ts'
import { openObjectScenarios } from './open-objects.ts'
import { policyScenarios } from './policies.ts'
import { readScenarios } from './reads.ts'
import { serviceScenarios } from './services.ts'
import { writeScenarios } from './writes.ts'

export const scenarios: readonly Scenario[] = [
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
]
