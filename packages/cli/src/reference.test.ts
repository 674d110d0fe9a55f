import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { COMMAND_GROUPS, COMMANDS } from './commands.ts'
import { formatReference } from './reference.ts'
import { loadProgram } from './weft.ts'

describe('the commands', () => {
  it('are in the reference as they are (npm run build && npm run reference makes it anew)', async () => {
    const written = await readFile(fileURLToPath(new URL('../../../docs/reference/cli.md', import.meta.url)), 'utf8')
    expect(written).toBe(await formatReference())
  })

  it('have each a description, an example, and a description of every option', async () => {
    const program = await loadProgram()
    expect(program.commands.map((command) => command.name())).toEqual(COMMANDS.map(({ name }) => name))
    const reference = await formatReference()
    for (const command of program.commands) {
      expect(command.description(), command.name()).not.toBe('')
      for (const option of command.options) expect(option.description, `${command.name()} ${option.flags}`).not.toBe('')
      expect(reference).toContain(`## weft ${command.name()}\n`)
    }
    for (const { commands } of COMMAND_GROUPS) for (const { summary } of commands) expect(summary).toMatch(/\.$/)
  })
})
