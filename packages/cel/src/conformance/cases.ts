import { tests } from '@bufbuild/cel-spec/testdata/conformance.js'
import type { SerializedIncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js'

/** The cases of the language's own conformance suite, as plain data. */
export interface ConformanceCase {
  /** `suite/section/name`, unique with a counter where the suite repeats a name. */
  readonly name: string
  readonly expr: string
  readonly container?: string
  readonly disableCheck?: boolean
  readonly checkOnly?: boolean
  readonly typeEnv?: readonly { readonly name: string; readonly ident?: { readonly type: unknown }; readonly function?: unknown }[]
  readonly bindings?: Readonly<Record<string, { readonly value: unknown }>>
  readonly value?: unknown
  readonly evalError?: unknown
  readonly typedResult?: { readonly result?: unknown; readonly deducedType?: unknown }
}

export function conformanceCases(): readonly ConformanceCase[] {
  const cases: ConformanceCase[] = []
  const seen = new Map<string, number>()
  const walk = (suite: SerializedIncrementalTestSuite, path: readonly string[]): void => {
    for (const child of suite.suites ?? []) walk(child, [...path, child.name])
    for (const test of suite.tests ?? []) {
      const base = [...path, test.original.name ?? test.original.expr].join('/')
      const count = (seen.get(base) ?? 0) + 1
      seen.set(base, count)
      cases.push({ ...(test.original as unknown as Omit<ConformanceCase, 'name'>), name: count === 1 ? base : `${base}#${count}` })
    }
  }
  walk(tests, [])
  return cases
}
