import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { CommandFailure } from '../../report.ts'
import type { KeyFiles } from './sealed-keys.ts'

const isKeyFile = (name: string): boolean => /\.(key|crt|pub|pem)$/.test(name)

/** The certificate authority and keys of a data directory. */
export async function readKeyFiles(dataDir: string): Promise<KeyFiles> {
  const directory = join(dataDir, 'pki')
  if (!existsSync(directory))
    throw new CommandFailure(
      `there are no keys in ${directory}: keys are backed up on the machine of the control plane, with its --data-dir`,
    )
  const names = (await readdir(directory)).filter(isKeyFile)
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const)))
}

/** Puts keys into a data directory that has none: all of them or, on failure, nothing. */
export async function writeKeyFiles(dataDir: string, files: KeyFiles): Promise<void> {
  const directory = join(dataDir, 'pki')
  const draft = `${directory}.restoring.tmp`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  for (const [name, text] of Object.entries(files)) {
    if (name !== basename(name) || !isKeyFile(name)) throw new CommandFailure(`${JSON.stringify(name)} is not the name of a key file`)
    await writeFile(join(draft, name), text, { mode: name.endsWith('.key') ? 0o600 : 0o644, flush: true } as object)
  }
  await rename(draft, directory)
}

export function mustHaveNoKeys(dataDir: string): void {
  if (existsSync(join(dataDir, 'pki')))
    throw new CommandFailure(`${join(dataDir, 'pki')} contains keys already: restore into another directory`)
}
