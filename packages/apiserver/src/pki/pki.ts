import { messageOf } from '@weft/api'
import { chmod, mkdir, readdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { TEMPORARY_SUFFIX, writeFilesAtomically } from './files.ts'
import { PkiError } from './pki-error.ts'
import { type Pki, PKI_FILES, type PkiFile, type PkiOptions, reconcilePki } from './reconcile.ts'

/**
 * The PKI kept in `directory` (mode 0700, keys 0600): made on the first start, reused after, leaf certificates renewed
 * when they have less than a third of their life left or the hosts changed. Calling it again is how a long-running
 * server renews: give the answer to the TLS server's `setSecureContext`.
 * The caller must be the only process that uses the directory. Throws PkiError, whose message says what to do.
 */
export async function ensurePki(directory: string, options: PkiOptions = {}): Promise<Pki> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const narrowed: string[] = []
    const { pki, writes } = reconcilePki(await readFiles(directory, narrowed), options)
    const staged = [...writes].map(([file, data]) => ({ path: join(directory, file), data, mode: isKey(file) ? 0o600 : 0o644 }))
    // Keys become durable before any certificate exists: a certificate without its key would need an operator.
    for (const group of [staged.filter(({ mode }) => mode === 0o600), staged.filter(({ mode }) => mode !== 0o600)])
      if (group.length > 0) await writeFilesAtomically(group)
    return narrowed.length === 0 ? pki : { ...pki, notes: [...narrowed, ...pki.notes] }
  } catch (cause) {
    if (cause instanceof PkiError) throw inDirectory(directory, cause)
    const why = messageOf(cause)
    throw new PkiError(
      'io',
      `cannot keep certificates in ${directory}: ${why}; check that the folder exists, is writable and has free space`,
      { cause },
    )
  }
}

/** A PKI that lives as long as the process, for tests and in-memory servers. */
export const createMemoryPki = (options: PkiOptions = {}): Pki => reconcilePki(new Map(), options).pki

const isKey = (file: PkiFile): boolean => file.endsWith('.key')

async function readFiles(directory: string, narrowed: string[]): Promise<Map<PkiFile, string>> {
  const names = await readdir(directory)
  // What a crash in the middle of a write left behind may hold a private key.
  await Promise.all(names.filter((name) => TEMPORARY_SUFFIX.test(name)).map((name) => unlink(join(directory, name)).catch(() => undefined)))
  const present = PKI_FILES.filter((file) => names.includes(file))
  const entries = await Promise.all(
    present.map(async (file) => [file, await readPrivately(join(directory, file), isKey(file), narrowed)] as const),
  )
  return new Map(entries)
}

async function readPrivately(path: string, key: boolean, narrowed: string[]): Promise<string> {
  if (key && process.platform !== 'win32') {
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0) {
      await chmod(path, 0o600)
      narrowed.push(
        `${path} could be read by other users of this machine (mode ${(mode & 0o777).toString(8)}); now only its owner can. Whoever may have read it can act in its name: replace it if that is possible`,
      )
    }
  }
  return readFile(path, 'utf8')
}

const inDirectory = (directory: string, error: PkiError): PkiError =>
  new PkiError(error.code, `${directory}: ${error.message}`, {
    ...(error.file !== undefined && { file: join(directory, error.file) }),
    cause: error.cause,
  })
