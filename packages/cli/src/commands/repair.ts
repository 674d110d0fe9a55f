import { checkStore, repairStore } from '@weft/apiserver'
import { Command } from 'commander'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { CommandFailure } from '../report.ts'
import type { Run } from '../run.ts'
import { formatDamages } from './check/report-damage.ts'

export const repairCommand = (run: Run): Command =>
  new Command('repair')
    .description(
      'Recover what is intact in a damaged data directory. Shows first what is lost, object by object, and keeps the damaged file.',
    )
    .option('--data-dir <dir>', 'data directory, not in use', '.weft')
    .option('--yes', 'do it without asking')
    .addHelpText('after', '\nExample:\n  weft check --data-dir .weft\n  weft repair --data-dir .weft')
    .action((options: { dataDir: string; yes?: boolean }) => run(() => repair(options)))

async function repair({ dataDir, yes = false }: { dataDir: string; yes?: boolean }): Promise<number> {
  const directory = join(resolve(dataDir), 'storage')
  const report = checkStore(directory)
  if (report.damages.length === 0) {
    process.stdout.write(`${dataDir} is whole: there is nothing to repair\n`)
    return 0
  }
  process.stdout.write(formatDamages(dataDir, report))
  if (!yes && !(await isConfirmed(`Keep the ${report.wholeObjects} whole objects and give up the rest? [y/N] `))) {
    throw new CommandFailure('nothing was changed: use --yes to continue without being asked')
  }
  const { keptAs } = await repairStore(directory)
  process.stdout.write(`repaired ${dataDir}; the damaged file is kept as ${relative('', keptAs)}\nNext: weft up --data-dir ${dataDir}\n`)
  return 0
}

async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}
