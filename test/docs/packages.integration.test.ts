import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url))
const PROVIDERS = fileURLToPath(new URL('../../providers/', import.meta.url))
const ENTRIES = ['src/index.ts', 'src/server/index.ts']

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The first column of the list of packages, from above; `providers/*` stands for all of them. */
const LISTED: readonly string[] = (
  readFileSync(fileURLToPath(new URL('../../docs/architecture.md', import.meta.url)), 'utf8')
    .split(/^## /m)
    .find((section) => section.startsWith('The packages')) ?? ''
)
  .split('\n')
  .flatMap((line) => [...(/^\|([^|]+)\|/.exec(line)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))

const placeName = (name: string): string => (/^provider-(?!sdk$)/.test(name) ? 'providers/*' : name)
const placeOf = (name: string): number => LISTED.indexOf(placeName(name))

describe('every package', () => {
  const folders = [PACKAGES, PROVIDERS].flatMap((folder) => readdirSync(folder).map((name) => [name, folder] as const))
  test.each(folders)('%s says at its entry what it is and who may import it', (name, folder) => {
    const entry = ENTRIES.map((path) => `${folder}${name}/${path}`).find(existsSync)
    expect(entry, `${name} has no entry`).toBeDefined()
    expect(readFileSync(entry as string, 'utf8')).toMatch(/^\/\*\*[\s\S]{60,}?\*\//)
  })

  test.each(folders)('%s imports only packages above it in the list of docs/architecture.md', (name, folder) => {
    const own = placeOf(folder === PROVIDERS ? `provider-${name}` : name)
    const { dependencies = {} } = JSON.parse(readFileSync(`${folder}${name}/package.json`, 'utf8')) as Manifest
    const ours = Object.keys(dependencies).flatMap((dependency) => /^@weft\/(.+)$/.exec(dependency)?.[1] ?? [])
    expect(own, `${name} is not in the list`).toBeGreaterThanOrEqual(0)
    expect(ours.filter((imported) => !LISTED.slice(0, own).some((listed) => listed === placeName(imported)))).toEqual([])
  })
})

test('decisions are numbered one by one', () => {
  const folder = fileURLToPath(new URL('../../docs/adr/', import.meta.url))
  const files = readdirSync(folder).toSorted()
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, i) => i + 1))
  for (const file of files) expect(readFileSync(`${folder}${file}`, 'utf8')).toMatch(new RegExp(`^# ${Number(file.slice(0, 4))}\\. `))
})
