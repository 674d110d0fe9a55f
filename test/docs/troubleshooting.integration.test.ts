import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8')

/** Everything that can print or store a message. */
const sources = ['packages', 'providers', join('scripts', 'pack')]
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(root, folder, file)))
  .filter((file) => /\.(?:ts|tsx|mjs|cjs)$/.test(file) && !/node_modules|[/\\]dist[/\\]|\.test\.|\.fixture\./.test(file))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

/** What the first column quotes, where it is a message: more than one word, and no command. */
const quoted = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
  .filter((text) => text.includes(' ') && !/^npx /.test(text))

/** The words that are always the same: numbers, addresses and names differ. */
const fixedParts = (message: string): readonly string[] =>
  message
    .split(/…|\d[\d.]*/)
    .map((part) => part.trim())
    .filter((part) => part.includes(' '))

describe('the page on troubleshooting', () => {
  it('quotes messages', () => expect(quoted.length).toBeGreaterThan(5))

  it.each(quoted)('quotes what is really said: %s', (message) => {
    expect(fixedParts(message).filter((part) => !sources.includes(part))).toEqual([])
  })
})
