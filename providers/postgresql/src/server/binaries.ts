import { execFile } from 'node:child_process'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import { installation } from './installation.ts'
import { linkLibraries } from './links.ts'

/** The programs of a PostgreSQL server, by path. */
export interface Binaries {
  readonly initdb: string
  readonly pgCtl: string
  readonly postgres: string
  /** `18.4` */
  readonly version: string
}

const run = promisify(execFile)

/**
 * The server of this installation. When it does not run there, it is copied to `directory` first: the account that is to run it may not
 * read it there (root's own folders), or its libraries lack their links, which a script of the package makes: package managers that run
 * no such scripts leave them out.
 */
export async function findBinaries(directory: string, account: Account | undefined): Promise<Binaries> {
  const installed = await installation()
  const there = await tryIn(installed, account)
  if ('version' in there) return there
  const copy = join(directory, 'native')
  const copied = await tryIn(copy, account)
  if ('version' in copied) return copied
  const partial = `${copy}.${process.pid}`
  await mkdir(directory, { recursive: true, mode: 0o755 })
  // Libraries are links to each other: as they stand, or they lead back to where the account may not go.
  await cp(installed, partial, { recursive: true, verbatimSymlinks: true })
  await linkLibraries(partial)
  await rm(copy, { recursive: true, force: true })
  await rename(partial, copy)
  const usable = await tryIn(copy, account)
  if (!('version' in usable))
    throw new Error(`the PostgreSQL server in ${copy} cannot be run${account === undefined ? '' : ` as ${account.name}`}: ${usable.why}`)
  return usable
}

async function tryIn(native: string, account: Account | undefined): Promise<Binaries | { readonly why: string }> {
  const path = (program: string): string => join(native, 'bin', process.platform === 'win32' ? `${program}.exe` : program)
  try {
    const { stdout } = await run(path('postgres'), ['--version'], { ...account?.ids, cwd: '/' })
    const version = /(\d+(?:\.\d+)*)\s*$/.exec(stdout.trim())?.[1] ?? 'unknown'
    return { initdb: path('initdb'), pgCtl: path('pg_ctl'), postgres: path('postgres'), version }
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    return { why: stderr?.trim() || message }
  }
}
