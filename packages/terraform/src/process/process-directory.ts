import { constants } from 'node:fs'
import { access, chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSameProcess, processIdentity } from '@weft/program'
import type { ProcessPlaces } from './environment.ts'

const PREFIX = 'weft-tf-'
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
  const owner = await processIdentity(process.pid)
  return {
    path,
    sockets,
    home,
    temporary,
    own: async (pid) => writeFile(join(path, 'owner'), JSON.stringify({ owner, program: await processIdentity(pid) }), { mode: 0o600 }),
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
    const note = await readNote(join(path, 'owner'))
    if (note === undefined || (await isSameProcess(note.owner))) continue
    if (await isSameProcess(note.program)) kill(note.program.pid)
    await rm(path, { recursive: true, force: true }).catch(() => undefined)
    removed++
  }
  return removed
}

interface Note {
  readonly owner: { readonly pid: number; readonly startedAt: string }
  readonly program: { readonly pid: number; readonly startedAt: string }
}

async function readNote(path: string): Promise<Note | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Note
  } catch {
    // Somebody else's, or one that is just being made.
    return undefined
  }
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
