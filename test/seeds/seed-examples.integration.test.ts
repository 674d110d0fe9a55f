import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EXAMPLES, example, exampleNames, examplesOf, hasDocuments } from './seed-examples.ts'

describe.each(['000', '001', '003'])('examples of document %s', (document) => {
  test('B20: each can be read, also where a dash of the separator is missing', () => {
    expect(exampleNames(document).length).toBeGreaterThan(5)
    for (const name of exampleNames(document)) expect(example(name.replace('.yaml', '')).length, name).toBeGreaterThan(0)
  })

  test.runIf(hasDocuments())('they are what the document says', () => {
    const wanted = examplesOf(document)
    expect(exampleNames(document)).toEqual([...wanted.keys()].toSorted())
    for (const [name, text] of wanted) expect(readFileSync(`${EXAMPLES}${name}`, 'utf8'), name).toBe(text)
  })
})
