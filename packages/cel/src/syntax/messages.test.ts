import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js'
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js'
import { describe, expect, test } from 'vitest'
import { Environment, KUBERNETES_ENVIRONMENT } from '../environment.ts'
import { compile } from '../program.ts'
import { STRING, objectType } from '../types/type.ts'

const environment = new Environment({ variables: { self: objectType('selfType', [['name', STRING]]) } })
const message = (source: string): string | undefined => compile(source, environment).message

describe('issues', () => {
  test.each([
    ['foo', "ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo\n | ^"],
    ['1 + x', "ERROR: <input>:1:5: undeclared reference to 'x' (in container '')\n | 1 + x\n | ....^"],
    [
      "self.name.all(x, x == 'a')",
      "ERROR: <input>:1:5: expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)\n | self.name.all(x, x == 'a')\n | ....^",
    ],
    ['self.nam == "a"', 'ERROR: <input>:1:5: undefined field \'nam\'\n | self.nam == "a"\n | ....^'],
    [
      'self.name + 1',
      "ERROR: <input>:1:11: found no matching overload for '_+_' applied to '(string, int)'\n | self.name + 1\n | ..........^",
    ],
    [
      'self.name.contains(1)',
      "ERROR: <input>:1:19: found no matching overload for 'contains' applied to 'string.(int)'\n | self.name.contains(1)\n | ..................^",
    ],
    [
      '1 +\n  2 +',
      "ERROR: <input>:2:6: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n |   2 +\n | .....^",
    ],
    ["'é' + y", "ERROR: <input>:1:7: undeclared reference to 'y' (in container '')\n | 'é' + y\n | .．....^"],
    ['has(self)', 'ERROR: <input>:1:5: invalid argument to has() macro\n | has(self)\n | ....^'],
    ['package', 'ERROR: <input>:1:1: reserved identifier: package\n | package\n | ^'],
  ])('%s', (source, expected) => {
    expect(message(source)).toBe(expected)
  })

  test.each([
    ["'a'.matches('(')", "ERROR: <input>:1:13: invalid matches argument\n | 'a'.matches('(')\n | ............^"],
    ["duration('x') > duration('1h')", "ERROR: <input>:1:10: invalid duration argument\n | duration('x') > duration('1h')\n | .........^"],
    ["[1].all(i, timestamp('yesterday') < timestamp('2020-01-01T00:00:00Z'))", expect.stringMatching(/:1:22: invalid timestamp argument/)],
    ["'a'.matches('[a-z]+') && duration('1h') == duration('60m')", undefined],
  ])('of literals that a function cannot make sense of, where that is checked: %s', (source, expected) => {
    expect(compile(source, KUBERNETES_ENVIRONMENT).message).toEqual(expected)
    expect(message(source)).toBeUndefined()
  })

  test("read as cel-go's own", () => {
    // The data states what cel-go says. Left out: what depends on declarations or switches this test does not have.
    const known = [...(checking.tests ?? []), ...(parsing.tests ?? [])].filter(
      (item) => item.error !== undefined && !/unsupported syntax|google\.expr|TestAllTypes|recursion/.test(item.error),
    )
    const plain = new Environment()
    const same = known.filter(
      (item) => compile(item.original.expr, plain).message === item.error?.replaceAll('ERROR: :', 'ERROR: <input>:'),
    )
    expect(known.length).toBeGreaterThan(140)
    expect(same.length).toBeGreaterThan(110)
  })
})

describe('limits', () => {
  const deep = (open: string, close: string, count: number): string => `${open.repeat(count)}1${close.repeat(count)}`

  test.each([
    ['nested lists', deep('[', ']', 5000)],
    ['nested parentheses', deep('(', ')', 40_000)],
    ['a long sum', Array.from({ length: 20_000 }, () => '1').join('+')],
    ['a long chain of fields', `self${'.a'.repeat(30_000)}`],
    ['sums within sums', Array.from({ length: 190 }).reduce<string>((inner) => `(${inner}${'+1'.repeat(240)})`, '1')],
    ['negations', `${'!'.repeat(300)}${'(!'.repeat(300)}true${')'.repeat(300)}`],
    ['too many characters', `'${'a'.repeat(100_001)}'`],
    ['unclosed', '['.repeat(99_000)],
    ['unclosed quotes', '"\\'.repeat(40_000)],
    ['bad characters', '@'.repeat(90_000)],
  ])('%s are refused', (_, source) => {
    expect(compile(source, environment).issues?.length).toBeGreaterThan(0)
  })

  test('a long chain of conditions is fine', () => {
    const source = Array.from({ length: 5000 }, (_, i) => `${i} == ${i}`).join(' && ')
    expect(compile(source, environment).program?.evaluate({}).value).toBe(true)
  })

  test('chained optMap is refused before it doubles too often', async () => {
    const { OPTIONALS } = await import('../library/optionals.ts')
    const source = `optional.of(1)${'.optMap(x, x + 1)'.repeat(40)}.value()`
    expect(compile(source, new Environment({ libraries: [OPTIONALS] })).message).toContain('node count')
  })

  test('a hostile regular expression takes linear time', () => {
    const source = `'${'a'.repeat(5000)}!'.matches('(a+)+$')`
    expect(compile(source, environment).program?.evaluate({}).value).toBe(false)
  })
})
