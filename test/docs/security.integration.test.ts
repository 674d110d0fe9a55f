import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const page = read('docs/security.md').replace(/<!--\nHow to add[\s\S]*?-->/, '')
const PROMISED = page.slice(page.indexOf('\n## '), page.indexOf('\n## What is not protected'))

/** A bullet with all its lines. */
const statements = PROMISED.split(/\n(?=- |\n|## )/)
  .map((part) => part.trim())
  .filter((part) => part.startsWith('- '))

describe('docs/security.md', () => {
  test('promises something', () => expect(statements.length).toBeGreaterThan(2))

  test.each(statements.map((statement) => [statement.split('\n')[0] ?? '', statement]))('%s', (_, statement) => {
    const proofs = [...statement.matchAll(/<!-- proved by: (\S+) "([^"]+)" -->/g)]
    expect(proofs, 'no test is named that proves it').not.toHaveLength(0)
    for (const [, file = '', name = ''] of proofs) {
      expect(existsSync(fileURLToPath(new URL(`../../${file}`, import.meta.url))), `${file} does not exist`).toBe(true)
      expect(read(file), `${file} has no such test`).toContain(name)
    }
  })
})
