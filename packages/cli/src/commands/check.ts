import { checkFile, checkStore, type StoreReport } from '@weft/apiserver'
import { Command } from 'commander'
import { join, resolve } from 'node:path'
import type { Run } from '../run.ts'
import { formatDamages } from './check/report-damage.ts'

export const checkCommand = (run: Run): Command =>
  new Command('check')
    .description(
      'Read everything in a data directory that is not in use, or in a backup, and compare it with its checksums. Changes nothing.',
    )
    .argument('[backup]', 'a file written by weft backup, instead of the data directory')
    .option('--data-dir <dir>', 'data directory', '.weft')
    .addHelpText('after', '\nExample:\n  weft check --data-dir .weft\n  weft check weft-backup.mdb')
    .action((backup: string | undefined, { dataDir }: { dataDir: string }) => run(async () => check(backup, dataDir)))

function check(backup: string | undefined, dataDir: string): number {
  const what = backup ?? dataDir
  const report = backup === undefined ? checkStore(join(resolve(dataDir), 'storage')) : checkFile(resolve(backup))
  if (report.damages.length === 0) {
    process.stdout.write(formatWhole(what, report))
    return 0
  }
  const next =
    backup === undefined
      ? `restore a backup into another directory, or keep what is whole: weft repair --data-dir ${dataDir}`
      : 'use another backup'
  process.stdout.write(`${formatDamages(what, report)}Next: ${next}\n`)
  return 1
}

function formatWhole(what: string, { hasChecksums, wholeObjects, revision, format }: StoreReport): string {
  if (hasChecksums) return `${what} is whole: ${wholeObjects} objects at revision ${revision}\n`
  return `${what} has format ${format}, without checksums: its pages are whole; nothing more can be checked. The next start of the control plane adds checksums.\n`
}
