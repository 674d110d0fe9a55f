import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chown, lchown, lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Who runs a program of PostgreSQL, which refuses to be root. */
export interface Account {
  readonly name: string
  readonly ids: { readonly uid: number; readonly gid: number }
}

const run = promisify(execFile)
const CANDIDATES = ['postgres', 'nobody']

/**
 * Who makes data directories when we are root: initdb wants a user that the machine knows by name. Undefined when we are not root: then
 * everything runs as we do.
 */
export async function makerAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of CANDIDATES) {
    const ids = (await idsInFile(name)) ?? (await idsByProgram(name))
    if (ids !== undefined) return { name, ids }
  }
  throw new Error(
    `PostgreSQL does not run as root, and this machine has none of the users ${CANDIDATES.join(', ')} to run it as: ` +
      'create one with `useradd --system postgres`, or run Weft as another user',
  )
}

/** Without a program: a service may have a PATH in which there is none. */
async function idsInFile(name: string): Promise<Account['ids'] | undefined> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [, , uid, gid] =
    text
      .split('\n')
      .map((line) => line.split(':'))
      .find(([first]) => first === name) ?? []
  return idsOf(uid, gid)
}

/** Users that are not in the file, but in a directory of the network. */
async function idsByProgram(name: string): Promise<Account['ids'] | undefined> {
  const ask = (flag: string): Promise<string | undefined> =>
    run('id', [flag, name]).then(
      ({ stdout }) => stdout,
      () => undefined,
    )
  return idsOf(await ask('-u'), await ask('-g'))
}

function idsOf(...texts: readonly (string | undefined)[]): Account['ids'] | undefined {
  const [uid = -1, gid = -1] = texts.map((text = '') => (/^\d+$/.test(text.trim()) ? Number(text) : -1))
  return uid >= 0 && gid >= 0 ? { uid, gid } : undefined
}

interface IdRange {
  readonly from: number
  readonly size: number
}

/** Ids that no distribution hands out. The second is for containers, whose kernel knows few ids. */
const RANGES: readonly IdRange[] = [
  { from: 1_879_100_000, size: 100_000_000 },
  { from: 58_000, size: 2_000 },
]

/**
 * The ids that servers may run under, each under one of its own, so that none can read the files of another, or ours. Undefined where that
 * cannot be: we are not root, or in a container that knows too few ids.
 */
export async function accountRange(): Promise<IdRange | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uids, gids] = await Promise.all([mappedIds('/proc/self/uid_map'), mappedIds('/proc/self/gid_map')])
  const known = (ids: readonly IdRange[] | undefined, { from, size }: IdRange): boolean =>
    ids === undefined || ids.some((each) => each.from <= from && from + size <= each.from + each.size)
  return RANGES.find((range) => known(uids, range) && known(gids, range))
}

/** Undefined: this system has no such map, and knows all ids. */
async function mappedIds(path: string): Promise<readonly IdRange[] | undefined> {
  try {
    const lines = (await readFile(path, 'utf8')).trim().split('\n')
    return lines.map((line) => line.trim().split(/\s+/).map(Number)).map(([from = 0, , size = 0]) => ({ from, size }))
  } catch {
    return undefined
  }
}

/** An id of the range that none of `taken` is: by chance, so that two control planes on one machine do not meet. */
export function chooseAccount({ from, size }: IdRange, taken: ReadonlySet<number>): number {
  for (;;) {
    const id = from + randomInt(size)
    if (!taken.has(id)) return id
    if (taken.size >= size) throw new Error(`all of the ${size} accounts for PostgreSQL servers are taken`)
  }
}

export const accountOf = (id: number): Account => ({ name: `uid ${id}`, ids: { uid: id, gid: id } })

export async function giveTo(account: Account | undefined, path: string): Promise<void> {
  if (account !== undefined) await chown(path, account.ids.uid, account.ids.gid)
}

/**
 * Gives a data directory to an account, its top last, so that whoever finds the top given finds all given; or first, when it is only lent,
 * so that whoever finds it lent takes all back. Only what belongs to the owner of the top is given, and links are not followed, except to
 * table spaces: whoever could write in there may have put anything in it.
 */
export async function giveTree(account: Account, data: string, { topFirst = false }: { readonly topFirst?: boolean } = {}): Promise<void> {
  const { uid: before } = await lstat(data)
  if (before === account.ids.uid || before === 0) return
  if (topFirst) await lchown(data, account.ids.uid, account.ids.gid)
  for (const space of await entriesIn(join(data, 'pg_tblspc'))) {
    const target = await realpath(join(data, 'pg_tblspc', space)).catch(() => undefined)
    if (target !== undefined) await give(account, target, before)
  }
  await give(account, data, before)
}

async function give(account: Account, path: string, before: number): Promise<void> {
  const found = await lstat(path)
  if (found.isDirectory()) for (const entry of await readdir(path)) await give(account, join(path, entry), before)
  if (found.uid === before) await lchown(path, account.ids.uid, account.ids.gid)
}

const entriesIn = (path: string): Promise<string[]> => readdir(path).catch(() => [])
