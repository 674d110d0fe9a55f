import { rename, rm, writeFile } from 'node:fs/promises'
import { messageOf } from '@weft/api'
import { CommandFailure } from '../report.ts'

/** To a file, all of it or nothing; to standard output when there is none. */
export async function writeOutput(text: string, file: string | undefined): Promise<void> {
  if (file === undefined || file === '-') return void process.stdout.write(text)
  const temporary = `${file}.part`
  try {
    await writeFile(temporary, text)
    await rename(temporary, file)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw new CommandFailure(`cannot write ${file}: ${messageOf(cause)}`, { cause })
  }
}
