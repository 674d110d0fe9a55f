import type { Scenario } from '../scenario.ts'
import { deleteScenarios } from './deletes.ts'
import { readScenarios } from './reads.ts'
import { writeScenarios } from './writes.ts'

export const scenarios: readonly Scenario[] = [...writeScenarios, ...readScenarios, ...deleteScenarios]
