import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { followReadme } from './follow-readme.ts'
import { openWorkshop, root } from './workshop.ts'

/** Every folder of examples/ does what its README says; see examples/README.md. One of them on request: `WEFT_EXAMPLE=wordpress`. */
const EXAMPLE_MS = 600_000
const folder = join(root, 'examples')
const examples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && (process.env['WEFT_EXAMPLE'] ?? entry.name) === entry.name)
  .map(({ name }) => name)

describe('examples', () => {
  it('are there', () => {
    expect(examples.length).toBeGreaterThan(0)
  })

  it.skipIf(process.env['WEFT_EXAMPLE'] !== undefined)('the README of Weft leads a new user to a database', { timeout: EXAMPLE_MS }, () =>
    followReadme('README.md', () => openWorkshop(root, ['examples'])),
  )

  it.skipIf(process.env['WEFT_EXAMPLE'] !== undefined)(
    'the tutorial leads from an installed Weft to a provider of one’s own',
    { timeout: EXAMPLE_MS },
    () => followReadme('docs/tutorial.md', () => openWorkshop(root, [])),
  )

  it.each(examples)('%s does what its README says', { timeout: EXAMPLE_MS }, (name) =>
    followReadme(join('examples', name, 'README.md'), () => openWorkshop(join(folder, name))),
  )
})
