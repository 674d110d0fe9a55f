import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { outputDifference } from './output.ts'
import { readSteps, type Step } from './readme.ts'
import { openWorkshop, root, type Workshop } from './workshop.ts'

/** Every folder of examples/ does what its README says; see examples/README.md. One of them on request: `WEFT_EXAMPLE=wordpress`. */
const EXAMPLE_MS = 600_000
const folder = join(root, 'examples')
const examples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && (process.env['WEFT_EXAMPLE'] ?? entry.name) === entry.name)
  .map(({ name }) => name)

async function follow(workshop: Workshop, { kind, script, expected, line }: Step, readme: string): Promise<void> {
  const where = `${readme}:${line}: ${script.trim()}`
  if (kind === 'background') return workshop.start(script)
  const { code, output } = await workshop.run(script)
  if ((code === 0) === (kind === 'fails'))
    throw new Error(`${where}\nended with code ${code ?? 'none'}:\n${output}\n${workshop.backgroundOutput().slice(-2000)}`)
  const difference = expected === undefined ? undefined : outputDifference(expected, output)
  if (difference !== undefined) throw new Error(`${where}\n${difference}`)
}

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

async function followReadme(readme: string, open: () => Promise<Workshop>): Promise<void> {
  const steps = readSteps(await readFile(join(root, readme), 'utf8'))
  expect(
    steps.some(({ expected }) => expected !== undefined),
    `${readme} shows no output`,
  ).toBe(true)
  const workshop = await open()
  try {
    for (const step of steps) await follow(workshop, step, readme)
  } finally {
    await workshop.close()
  }
}
