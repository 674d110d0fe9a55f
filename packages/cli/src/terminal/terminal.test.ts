import { describe, expect, it } from 'vitest'
import { formatJson } from '../output/format-object.ts'
import { formatYaml } from '../output/format-yaml.ts'
import { controlSequence, forTerminal } from './terminal.ts'

const ESC = '\u001B'

describe('what reaches a terminal', () => {
  it.each([
    [`${ESC}[2J`, '^[[2J', 'clearing the screen'],
    [`a${ESC}]0;title\u0007b`, 'a^[]0;title^Gb', 'the title'],
    ['\u009B31m', '\\u009b31m', 'the one-byte form'],
    ['safe\rspoofed', 'safe\\rspoofed', 'overwriting a line'],
    ['a\bb\u007F', 'a^Hb^?', 'backspaces'],
    ['a\tb\nc ä 😀', 'a\tb\nc ä 😀', 'text stays'],
  ])('%j', (text, expected, reason) => {
    expect(forTerminal(text), reason).toBe(expected)
  })

  it("lets our own colours pass, and nobody else's that look like them", () => {
    const red = `${controlSequence('31m')}x${controlSequence('39m')}`
    expect(forTerminal(red)).toBe(`${ESC}[31mx${ESC}[39m`)
    expect(forTerminal('\u0001guessed31m\u0002')).toBe('^Aguessed31m^B')
  })

  it('JSON and YAML stay exact and hold no control character', () => {
    const object = { a: `${ESC}[2J\u009B1m\u007F`, b: `two\nlines ${ESC}c`, '\u009Bkey': 1 }
    for (const text of [formatJson(object), formatYaml(object)]) {
      // oxlint-disable-next-line no-control-regex -- these are what it is about
      expect(text).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/)
      expect(forTerminal(text)).toBe(text)
    }
    expect(JSON.parse(formatJson(object))).toEqual(object)
  })
})
