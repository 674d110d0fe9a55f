import { expect, test } from 'vitest'
import { distinctlyShortened } from './distinctly-shortened.ts'

const GROUP = 'databases.platform.engineering.example.org'

test('what fits stays as it is', () => {
  expect(distinctlyShortened(['short', 'also short'], 12)).toEqual(['short', 'also short'])
})

test('what is too long loses its middle', () => {
  expect(distinctlyShortened(['managed/cloudsqlinstances.database.gcp.crossplane.io'], 21)).toEqual(['managed/cl…ssplane.io'])
})

test.each([16, 24, 32, 48])('names that begin and end alike differ in %i characters', (room) => {
  const names = ['small', 'large', 'xx-large', 'replicated'].map((size) => `composite/postgresql-instances-${size}.${GROUP}`)
  const shown = distinctlyShortened(names, room)
  expect(new Set(shown).size).toBe(names.length)
  for (const text of shown) expect(text.length).toBeLessThanOrEqual(room)
  if (room >= 24) expect(shown[1]).toMatch(/^com.*…large…/)
})

test('the same name twice is shown the same twice, and one that is the beginning of another differs from it', () => {
  const shown = distinctlyShortened([`a/${GROUP}`, `a/${GROUP}`, `a/${GROUP}/1`, `a/${GROUP}/12`], 20)
  expect(shown[0]).toBe(shown[1])
  expect(new Set(shown).size).toBe(3)
  for (const text of shown) expect(text.length).toBeLessThanOrEqual(20)
})

test('three hundred controllers of generated kinds are three hundred rows', () => {
  const names = Array.from({ length: 300 }, (_, i) => `managed/generated-resources-of-team-${i}s.${GROUP}`)
  expect(new Set(distinctlyShortened(names, 30)).size).toBe(300)
})
