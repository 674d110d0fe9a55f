import { Command } from 'commander'
import { backupCommand, restoreCommand } from './commands/backup.ts'
import { upCommand } from './commands/up.ts'
import { report } from './report.ts'
import type { Run } from './run.ts'
import { VERSION } from './version.ts'

/** The `weft` command: parses, runs one subcommand, and turns any failure into one line and an exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('weft')
    .description('Weft: a control plane that composes infrastructure.')
    .version(VERSION)
    .showHelpAfterError('(run weft --help for the list of commands)')
    .exitOverride()
  let exitCode = 0
  const run: Run = (action) => action().then((code) => void (exitCode = code))
  for (const add of [upCommand, backupCommand, restoreCommand]) program.addCommand(add(run).exitOverride())
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    return report(error)
  }
}
