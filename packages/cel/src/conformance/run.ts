import { Environment } from '../environment.ts'
import { CelRuntimeError } from '../eval/fault.ts'
import type { Value } from '../eval/value.ts'
import { BINDINGS } from '../library/bindings.ts'
import { ENCODERS } from '../library/encoders.ts'
import { memberOverload, overload, type FunctionDecl, type Library } from '../library/library.ts'
import { MATH } from '../library/math.ts'
import { OPTIONALS } from '../library/optionals.ts'
import { STRINGS } from '../library/strings.ts'
import { TWO_VARIABLE_COMPREHENSIONS } from '../library/two-variables.ts'
import { compile } from '../program.ts'
import { argument, bindVariable, type Macro } from '../syntax/macro.ts'
import { DYN, formatType, type CelType } from '../types/type.ts'
import type { ConformanceCase } from './cases.ts'
import { sameValue, toType, toValue } from './convert.ts'

/** Runs one case; answers what went wrong, or undefined when it passed. */
export function runCase(test: ConformanceCase): string | undefined {
  const { variables, functions } = declarations(test)
  const environment = new Environment({
    variables,
    libraries: [MATH, STRINGS, ENCODERS, OPTIONALS, BINDINGS, TWO_VARIABLE_COMPREHENSIONS, { name: 'case', functions }, BLOCK],
    container: test.container ?? '',
  })
  const compiled = compile(test.expr, environment, { unchecked: test.disableCheck === true })
  if (compiled.program === undefined) return test.evalError === undefined ? compiled.message : undefined
  const deduced = test.typedResult?.deducedType
  if (deduced !== undefined) {
    const [actual, wanted] = [formatType(compiled.program.outputType), formatType(toType(deduced))]
    if (actual !== wanted) return `type ${actual}, wanted ${wanted}`
  }
  if (test.checkOnly === true) return undefined
  const bindings: Record<string, Value> = {}
  for (const [name, binding] of Object.entries(test.bindings ?? {})) bindings[name] = toValue(binding.value)
  let actual: Value
  try {
    actual = compiled.program.evaluate(bindings).value
  } catch (error) {
    if (!(error instanceof CelRuntimeError)) throw error
    return test.evalError === undefined ? error.message : undefined
  }
  if (test.evalError !== undefined) return 'an error was expected'
  const expected = test.value ?? test.typedResult?.result
  const wanted = expected === undefined ? true : toValue(expected)
  return sameValue(actual, wanted) ? undefined : `got ${String(actual)}`
}

function declarations(test: ConformanceCase): { variables: Map<string, CelType>; functions: FunctionDecl[] } {
  const variables = new Map<string, CelType>()
  const functions: FunctionDecl[] = []
  for (const name of Object.keys(test.bindings ?? {})) variables.set(name, DYN)
  for (const decl of test.typeEnv ?? []) {
    if (decl.ident !== undefined) variables.set(decl.name, toType(decl.ident.type))
    else functions.push(functionDecl(decl.name, decl.function as DeclaredFunction))
  }
  return { variables, functions }
}

interface DeclaredFunction {
  readonly overloads: readonly {
    readonly overloadId: string
    readonly params?: readonly unknown[]
    readonly resultType: unknown
    readonly isInstanceFunction?: boolean
  }[]
}

function functionDecl(name: string, declared: DeclaredFunction): FunctionDecl {
  const unbound = (): never => {
    throw new Error('not bound')
  }
  const overloads = declared.overloads.map((item) =>
    (item.isInstanceFunction === true ? memberOverload : overload)(
      item.overloadId,
      (item.params ?? []).map(toType),
      toType(item.resultType),
      unbound,
    ),
  )
  return { name, overloads }
}

/** The suite's `cel.block([a, b], r)` with `cel.index(0)`: nested bindings. Only the suite writes it. */
const onCel = (name: string, args: number, expand: Macro['expand']): Macro => ({
  name,
  member: true,
  args,
  expand: (use) => (use.target?.kind === 'ident' && use.target.name === 'cel' ? expand(use) : undefined),
})
const constant = (use: Parameters<Macro['expand']>[0], index: number): string => {
  const arg = argument(use, index)
  return arg.kind === 'const' ? String(arg.value) : use.fail(arg.at, 'constant expected')
}

const BLOCK: Library = {
  name: 'block',
  macros: [
    onCel('index', 1, (use) => use.nodes.ident(use.at, `@index${constant(use, 0)}`)),
    onCel('iterVar', 2, (use) => use.nodes.ident(use.at, `@it:${constant(use, 0)}:${constant(use, 1)}`)),
    onCel('accuVar', 2, (use) => use.nodes.ident(use.at, `@ac:${constant(use, 0)}:${constant(use, 1)}`)),
    onCel('block', 2, (use) => {
      const slots = argument(use, 0)
      if (slots.kind !== 'list') return use.fail(slots.at, 'list expected')
      return slots.elements.reduceRight((result, element, i) => bindVariable(use, `@index${i}`, element, result), argument(use, 1))
    }),
  ],
}

/** Does the case need protobuf messages, enums or wrapper types, which Kubernetes' data never has? */
export function needsProtobuf(test: ConformanceCase): boolean {
  const { container = '', name: _, ...rest } = test
  if (container === 'google.protobuf' && /Value\b/.test(test.expr)) return true
  return /TestAllTypes|Test(?:Required|AllTypes)|GlobalEnum|NestedEnum|google\.protobuf\.(?!Timestamp|Duration)|google\.protobuf"|proto\.(?:get|has)Ext|messageType|"wrapper"|enumValue|NestedTestAllTypes|cel\.expr\.conformance|"wellKnown":"ANY"/.test(
    JSON.stringify(rest),
  )
}
