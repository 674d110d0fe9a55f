import { describe, expect, test } from 'vitest'
import { goYaml } from './go-yaml.ts'

describe('K40 YAML as Go prints it', () => {
  test.each<[string, unknown, string]>([
    ['nothing', null, 'null\n'],
    ['keys in order, lists not indented', { b: [{ y: 1, x: 'a' }, 'c'], a: {} }, 'a: {}\nb:\n- x: a\n  "y": 1\n- c\n'],
    [
      'text that reads like something else',
      { a: 'true', b: '1', c: '', d: 'null', e: '1.5' },
      'a: "true"\nb: "1"\nc: ""\nd: "null"\ne: "1.5"\n',
    ],
    ['text that needs quotes', { a: ': x', b: '- a', c: "it's", d: '#no' }, "a: ': x'\nb: '- a'\nc: it's\nd: '#no'\n"],
    ['lines', { a: 'one\ntwo\n', b: 'one\ntwo' }, 'a: |\n  one\n  two\nb: |-\n  one\n  two\n'],
    ['a break at the start shows how far lines are indented', '\na', '|2-\n\n  a\n'],
    ['spaces at the start, too', { a: '  one\ntwo' }, 'a: |2-\n    one\n  two\n'],
    ['every break at the end is kept', { a: 'one\n\n', b: 1 }, 'a: |+\n  one\n\nb: 1\n'],
    ['a line that ends in a space', { a: 'one \ntwo' }, 'a: "one \\ntwo"\n'],
    ['what needs four bytes', { a: '\u{1F600}', b: 'é漢' }, 'a: "\\U0001F600"\nb: é漢\n'],
    ['a tab', { a: 'one\ttwo' }, 'a: "one\\ttwo"\n'],
    ['long lines', { a: `${'word '.repeat(17)}end` }, `a: ${'word '.repeat(15)}word\n  word end\n`],
    ['long lines in quotes', { a: `: ${'word '.repeat(16)}end` }, `a: ': ${'word '.repeat(15)}word\n  end'\n`],
    ['keys of several lines, and long ones', { 'a\nb': [1], c: 2 }, '? |-\n  a\n  b\n: - 1\nc: 2\n'],
    ['keys sorted as people count', { a10: 1, a2: 2, a: 3, '10': 4, '1e3': 5, _: 6 }, '_: 6\n"10": 4\n"1e3": 5\na: 3\na2: 2\na10: 1\n'],
    ['lists in lists', [[1, [2]], []], '- - 1\n  - - 2\n- []\n'],
    ['numbers', [1e20, 1234567.5, 0.00001, 2 ** 53, -1], '- 1e+20\n- 1.2345675e+06\n- 1e-05\n- 9007199254740992\n- -1\n'],
    [
      'texts that are numbers, and such as are not',
      ['0x1F', '1_000', '0o8', '12:30', '1:99', '1e400', '2024-02-30', '2024-02-29', '18446744073709551616x', '<<'],
      '- "0x1F"\n- "1_000"\n- 0o8\n- "12:30"\n- 1:99\n- 1e400\n- 2024-02-30\n- "2024-02-29"\n- 18446744073709551616x\n- <<\n',
    ],
  ])('%s', (_name, value, expected) => expect(goYaml(value)).toBe(expected))
})
