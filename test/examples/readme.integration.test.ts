import { describe, expect, it } from 'vitest'
import { outputDifference } from './output.ts'
import { readSteps } from './readme.ts'

const fence = '```'

describe('the steps of a README', () => {
  it('are its sh blocks, each with the output that follows', () => {
    const markdown = [
      '# An example',
      `${fence}yaml`,
      'kind: Shown',
      fence,
      `${fence}sh`,
      'npx weft up',
      fence,
      `${fence}sh`,
      'npx weft apply -f a.yaml',
      'npx weft get all',
      fence,
      'It says',
      `${fence}text`,
      'NAME',
      'a',
      fence,
      '1. In a list',
      `   ${fence}sh fails`,
      '   false',
      `   ${fence}`,
    ].join('\n')
    expect(readSteps(markdown)).toEqual([
      { line: 5, kind: 'background', script: 'npx weft up\n' },
      { line: 8, kind: 'run', script: 'npx weft apply -f a.yaml\nnpx weft get all\n', expected: 'NAME\na\n' },
      { line: 18, kind: 'fails', script: 'false\n' },
    ])
  })

  it.each([
    { reason: 'a block that is not closed', markdown: `${fence}sh\nls`, message: /line 1: the block is not closed/ },
    { reason: 'an output of nothing', markdown: `${fence}text\nhello\n${fence}`, message: /line 1: this output follows no commands/ },
    {
      reason: 'two outputs',
      markdown: `${fence}sh\nls\n${fence}\n${fence}text\na\n${fence}\n${fence}text\nb\n${fence}`,
      message: /line 7: this output follows no commands/,
    },
    { reason: 'a word that means nothing', markdown: `${fence}sh later\nls\n${fence}`, message: /line 1: "sh later" means nothing/ },
    { reason: 'something after weft up', markdown: `${fence}sh\nnpx weft up\nls\n${fence}`, message: /needs a block of its own/ },
  ])('refuse $reason', ({ markdown, message }) => {
    expect(() => readSteps(markdown)).toThrow(message)
  })
})

describe('an output', () => {
  it.each([
    { reason: 'the same', expected: 'a b\nc\n', actual: 'a b\nc\n' },
    { reason: 'columns of other widths', expected: 'NAME   AGE\na      1s', actual: 'NAME AGE\na    12m30s   \n' },
    { reason: 'a name that is made up', expected: 'blog-<name>-<x> True', actual: 'blog-a1b2c-99 True' },
    { reason: 'anything', expected: 'error: <...>!', actual: 'error: no such thing!' },
    { reason: 'any lines', expected: 'first\n...\nlast', actual: 'first\nsecond\nlast\nlast' },
    { reason: 'no lines for any lines', expected: 'first\n...', actual: 'first' },
    { reason: 'characters that mean something in a pattern', expected: 'a (b) [c] *.d', actual: 'a (b) [c] *.d' },
  ])('fits: $reason', ({ expected, actual }) => {
    expect(outputDifference(expected, actual)).toBeUndefined()
  })

  it.each([
    { reason: 'another word', expected: 'a True', actual: 'a False' },
    { reason: 'a line more', expected: 'a', actual: 'a\nb' },
    { reason: 'a line less', expected: 'a\nb', actual: 'a' },
    { reason: 'nothing', expected: 'a', actual: '' },
    { reason: 'a placeholder for two words', expected: '<x>', actual: 'a b' },
    { reason: 'an age that is none', expected: 'a 5s', actual: 'a five' },
  ])('differs: $reason', ({ expected, actual }) => {
    expect(outputDifference(expected, actual)).toMatch(/expected/)
  })
})
