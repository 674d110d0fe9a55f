import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url))
const PROVIDERS = fileURLToPath(new URL('../../providers/', import.meta.url))
const ENTRIES = ['src/index.ts', 'src/server/index.ts']

describe('every package', () => {
  const folders = [PACKAGES, PROVIDERS].flatMap((folder) => readdirSync(folder).map((name) => [name, folder] as const))
  test.each(folders)('%s says at its entry what it is and who may import it', (name, folder) => {
    const entry = ENTRIES.map((path) => `${folder}${name}/${path}`).find(existsSync)
    expect(entry, `${name} has no entry`).toBeDefined()
    expect(readFileSync(entry as string, 'utf8')).toMatch(/^\/\*\*[\s\S]{60,}?\*\//)
  })

  test.each(readdirSync(PACKAGES))('%s is in the list of docs/architecture.md', (name) => {
    const page = readFileSync(fileURLToPath(new URL('../../docs/architecture.md', import.meta.url)), 'utf8')
    expect(page).toContain(`\`${name}\``)
  })
})

test('decisions are numbered one by one', () => {
  const folder = fileURLToPath(new URL('../../docs/adr/', import.meta.url))
  const files = readdirSync(folder).toSorted()
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, i) => i + 1))
  for (const file of files) expect(readFileSync(`${folder}${file}`, 'utf8')).toMatch(new RegExp(`^# ${Number(file.slice(0, 4))}\\. `))
})
