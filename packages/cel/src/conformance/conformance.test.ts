import { describe, expect, test } from 'vitest'
import { conformanceCases } from './cases.ts'
import { needsProtobuf, runCase } from './run.ts'

/** Cases without protobuf that are left out, each with why. */
const SKIPPED: ReadonlyMap<string, string> = new Map([])

const cases = conformanceCases()
const runnable = cases.filter((item) => !needsProtobuf(item))

describe('cel-spec conformance', () => {
  test('the suite is there', () => {
    expect(cases.length).toBeGreaterThan(2300)
    expect(runnable.length - SKIPPED.size).toBeGreaterThan(1600)
    for (const name of SKIPPED.keys())
      expect(
        runnable.some((item) => item.name === name),
        name,
      ).toBe(true)
  })

  const suites = new Map<string, typeof runnable>()
  for (const item of runnable) {
    const suite = item.name.split('/', 1)[0] ?? ''
    suites.set(suite, [...(suites.get(suite) ?? []), item])
  }
  for (const [suite, items] of suites) {
    test(`${suite}: ${items.length} cases`, () => {
      const failures = items.flatMap((item) => {
        if (SKIPPED.has(item.name)) return []
        const problem = runCase(item)
        return problem === undefined ? [] : [`${item.name}: ${item.expr}: ${problem}`]
      })
      expect(failures).toEqual([])
    })
  }
})
