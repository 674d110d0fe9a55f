import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { outputDifference } from './output.ts'
import { readSteps, type Step } from './readme.ts'
import { root, type Workshop } from './workshop.ts'

/** Types every command of a page, in its order, and compares what they print with what the page shows. */
export async function followReadme(readme: string, open: () => Promise<Workshop>): Promise<void> {
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

async function follow(workshop: Workshop, { kind, script, expected, line }: Step, readme: string): Promise<void> {
  const where = `${readme}:${line}: ${script.trim()}`
  if (kind === 'background') return workshop.start(script)
  const { code, output } = await workshop.run(script)
  if ((code === 0) === (kind === 'fails'))
    throw new Error(`${where}\nended with code ${code ?? 'none'}:\n${output}\n${workshop.backgroundOutput().slice(-2000)}`)
  const difference = expected === undefined ? undefined : outputDifference(expected, output)
  if (difference !== undefined) throw new Error(`${where}\n${difference}`)
}
