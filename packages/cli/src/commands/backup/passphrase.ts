import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandFailure } from '../../report.ts'

const VARIABLE = 'WEFT_PASSPHRASE'

/** From a file, else from the environment, else from whoever sits at the terminal. Never from an argument, which others can see. */
export async function readPassphrase(file: string | undefined): Promise<string> {
  const passphrase = file === undefined ? (process.env[VARIABLE] ?? (await ask())) : (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  if (passphrase === '') throw new CommandFailure('the passphrase is empty: keys need one')
  return passphrase
}

async function ask(): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandFailure(`keys need a passphrase: --passphrase-file FILE, or ${VARIABLE}`)
  process.stderr.write('Passphrase for the keys: ')
  // What is typed is not shown.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
