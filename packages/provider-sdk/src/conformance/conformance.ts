import { adverseCases } from './adverse-cases.ts'
import { deletionCases } from './deletion-cases.ts'
import { lifeCases } from './life-cases.ts'
import { ownershipCases } from './ownership-cases.ts'
import { policyCases } from './policy-cases.ts'
import type { ConditionalCase, ConformanceCase, ConformanceSubject } from './subject.ts'

const ALL: readonly ConditionalCase[] = [...lifeCases, ...policyCases, ...deletionCases, ...ownershipCases, ...adverseCases]

/**
 * What every provider must do, as far as it applies to this one. A test file runs each case in a world that it opened:
 *
 *     it.each(conformanceCases(subject))('%s', (_name, run) => run(world, subject), 120_000)
 */
export const conformanceCases = (subject: ConformanceSubject): readonly (readonly [name: string, run: ConformanceCase['run']])[] =>
  ALL.filter(({ applies }) => applies?.(subject) ?? true).map(({ name, run }) => [name, run])
