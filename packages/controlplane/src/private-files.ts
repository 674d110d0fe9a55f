import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

type Log = (level: 'info' | 'warn', message: string) => void

/** Others may pass through the data directory (servers that run as another user keep their files below), but not look into it. */
const SURROUNDING = 0o066
/** What is kept and what signs is the owner's alone. */
const PRIVATE = 0o077

/**
 * Whoever can read the data directory holds every secret in it and the keys of the administrator. Folders are made private; those that
 * others could read until now are closed and told of, and a folder that others can write to is refused: nobody knows what is in it.
 */
export async function keepPrivate(dataDir: string, log: Log): Promise<void> {
  if (process.platform === 'win32') return
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  for (const [path, mask] of [
    [dataDir, SURROUNDING],
    [join(dataDir, 'storage'), PRIVATE],
    [join(dataDir, 'pki'), PRIVATE],
    [join(dataDir, 'kubeconfig'), PRIVATE],
  ] as const)
    await narrow(path, mask, log)
}

async function narrow(path: string, mask: number, log: Log): Promise<void> {
  const mode = (await stat(path).catch(() => undefined))?.mode
  if (mode === undefined || (mode & mask) === 0) return
  if ((mode & 0o002) !== 0)
    throw new Error(
      `${path} can be written to by everybody on this machine (mode ${octal(mode)}): make sure that nobody changed what is in it, then run chmod o-w ${path}`,
    )
  await chmod(path, mode & 0o777 & ~mask)
  log(
    'warn',
    `${path} could be read by other users of this machine (mode ${octal(mode)}); now only its owner can (mode ${octal(mode & ~mask)})`,
  )
}

const octal = (mode: number): string => (mode & 0o777).toString(8)
