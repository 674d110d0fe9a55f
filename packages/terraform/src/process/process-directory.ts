import { constants } from 'node:fs'
import { access, chmod, chown, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSameProcess, readRunNote, writeRunNote } from '@weft/program'
import type { ProcessPlaces } from './environment.ts'

const PREFIX = 'weft-tf-'
/** In such a directory: who started which program. */
const NOTE = 'owner'
/** A socket's path may have 107 bytes; the program appends `/plugin` and up to ten digits (T7). */
const LONGEST_PLACE = 60

/** A directory that is one process's own: sockets, home, temporary files. Only its user may enter it. */
export interface ProcessDirectory extends ProcessPlaces {
  readonly path: string
  /** Notes the program, so that whoever finds the directory when we are gone can end it. */
  own(pid: number): Promise<void>
  remove(): Promise<void>
}

/** `user`: whose process it is; it may pass through the directory, whose note of it is ours alone to write, and has what is in it. */
export async function makeProcessDirectory(
  root?: string,
  user?: { readonly uid: number; readonly gid: number },
): Promise<ProcessDirectory> {
  const path = await mkdtemp(join(root ?? (await shortPlace(user === undefined ? ownPlaces() : [tmpdir()])), PREFIX))
  const [sockets, home, temporary] = [join(path, 's'), join(path, 'home'), join(path, 'tmp')]
  for (const place of [sockets, home, temporary]) {
    await mkdir(place, { mode: 0o700 })
    if (user !== undefined) await chown(place, user.uid, user.gid)
  }
  if (user !== undefined) {
    await chown(path, process.getuid?.() ?? 0, user.gid)
    await chmod(path, 0o710)
  }
  return {
    path,
    sockets,
    home,
    temporary,
    own: (pid) => writeRunNote(join(path, NOTE), pid),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/**
 * Ends programs whose owner was killed, and removes what they left. A program does not notice that its owner is gone, and one that went on
 * would hold the credentials of a control plane that is no more (T19).
 */
export async function removeAbandoned(root?: string): Promise<number> {
  let removed = 0
  for (const place of root === undefined ? [...ownPlaces(), '/tmp'] : [root]) removed += await removeAbandonedIn(place)
  return removed
}

async function removeAbandonedIn(place: string): Promise<number> {
  let removed = 0
  for (const name of await readdir(place).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(place, name)
    if (!(await isOurs(path))) continue
    const note = await readRunNote(join(path, NOTE))
    // None: one that is just being made.
    if (note === undefined || (await isSameProcess(note.owner))) continue
    if (await isSameProcess(note.program)) kill(note.program.pid)
    await rm(path, { recursive: true, force: true }).catch(() => undefined)
    removed++
  }
  return removed
}

/** The system's directory for temporary files is everybody's: what another user says there of whom to end is not believed. */
async function isOurs(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid())
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}

/** The user's own run directory, and the system's for temporary files. */
function ownPlaces(): string[] {
  const uid = process.getuid?.()
  return [...new Set([...(uid === undefined ? [] : [`/run/user/${uid}`]), tmpdir()])]
}

/** The first that is short enough. */
async function shortPlace(places: readonly string[]): Promise<string> {
  for (const place of places) if (place.length <= LONGEST_PLACE && (await isWritable(place))) return place
  return '/tmp'
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
