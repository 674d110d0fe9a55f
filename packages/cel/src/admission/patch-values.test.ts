import { describe, expect, test } from 'vitest'
import { configurationOf, operationsOf } from './patch-values.ts'
import { PolicyScope } from './policy.ts'

function evaluated(expression: string): ReturnType<ReturnType<PolicyScope['evaluation']>['evaluate']>['value'] {
  const scope = new PolicyScope({ params: true })
  const { program, message } = scope.compileMutation(expression)
  if (program === undefined) throw new Error(message)
  return scope.evaluation({ object: { spec: { replicas: 3 } } }).evaluate(program).value
}

describe('values of patches', () => {
  test.each<[expression: string, expected: unknown]>([
    ['Object{}', {}],
    ['Object{spec: Object.spec{replicas: object.spec.replicas + 1}}', { spec: { replicas: 4 } }],
    ['Object{?a: optional.none(), ?b: optional.of("c")}', { b: 'c' }],
    ['Object{a: Object{b: [1, 2]}.b.sum()}', { a: 3 }],
    ['Object{a: Object{b: 1} == Object{b: 1}, c: has(Object{}.d)}', { a: true, c: false }],
    ['Object{?a: optional.ofNonZeroValue(Object.a{})}', {}],
    ['Object{p: params == null, q: has(params.x), r: params.?x.orValue("none")}', { p: true, q: false, r: 'none' }],
  ])('%s', (expression, expected) => {
    expect(configurationOf(evaluated(expression), 1000)).toEqual(expected)
  })

  test('the name of a type is the path to its field', () => {
    expect(() => configurationOf(evaluated('Object{a: [Object.b{}]}'), 1000)).toThrow(
      'unexpected type name "Object.b", expected "Object.a", which matches field name path from root Object type',
    )
  })

  test('operations say what was given', () => {
    expect(operationsOf(evaluated('[JSONPatch{op: "add", path: "/a", value: Object.a{b: 1}}, JSONPatch{}]'), 1000)).toEqual([
      { op: 'add', path: '/a', value: { b: 1 } },
      { op: '', path: '' },
    ])
  })

  test.each([
    ['JSONPatch{op: 1}', "expected type of field 'op' is 'string' but provided type is 'int'"],
    ['Objekt{}', "undeclared reference to 'Objekt'"],
    ['int{}', "'int' is not a message type"],
    ['object{}', "'dyn' is not a type"],
    ['{"a": object.x, "b": "c"}', "expected type 'dyn' but found 'string'"],
  ])('%s is refused', (expression, problem) => {
    expect(new PolicyScope().compileMutation(expression).message).toContain(problem)
  })

  test('only mutations may build objects', () => {
    expect(new PolicyScope().compile('Object{}').message).toContain("undeclared reference to 'Object'")
  })
})
