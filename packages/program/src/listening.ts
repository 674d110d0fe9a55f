import { readdir, readFile, readlink } from 'node:fs/promises'

/** Who listens at a port of this machine. */
export interface Listener {
  readonly pid: number
  /** As the system calls its program. */
  readonly program: string
  /** The package whose program it is, where it is one's: `Provider x`. */
  readonly package?: string
}

/** The ports at which a process and those that it started listen, in order. Empty where that cannot be told. */
export async function listeningPorts(pid: number): Promise<readonly number[]> {
  const ports = await portsByInode()
  const found = new Set<number>()
  for (const each of await familyOf(pid))
    for (const inode of await socketsOf(each)) {
      const port = ports.get(inode)
      if (port !== undefined) found.add(port)
    }
  return [...found].toSorted((a, b) => a - b)
}

/** Undefined when nobody does, or we may not see who. */
export async function listenerAt(port: number): Promise<Listener | undefined> {
  const inodes = new Set([...(await portsByInode())].filter(([, each]) => each === port).map(([inode]) => inode))
  if (inodes.size === 0) return undefined
  for (const pid of await processes())
    if ((await socketsOf(pid)).some((inode) => inodes.has(inode))) {
      const program = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      const owner = await packageOf(pid)
      return { pid, program: program.replaceAll(/[^\x21-\x7e]+/g, ' ').trim(), ...(owner !== undefined && { package: owner }) }
    }
  return undefined
}

const LISTENING = '0A'

async function portsByInode(): Promise<ReadonlyMap<string, number>> {
  const ports = new Map<string, number>()
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(1)
    for (const line of lines) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      if (state === LISTENING && inode !== undefined) ports.set(inode, Number.parseInt(local.split(':')[1] ?? '', 16))
    }
  }
  return ports
}

async function socketsOf(pid: number): Promise<readonly string[]> {
  const folder = `/proc/${pid}/fd`
  const links = await Promise.all((await readdir(folder).catch(() => [])).map((file) => readlink(`${folder}/${file}`).catch(() => '')))
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [])
}

const processes = async (): Promise<readonly number[]> =>
  (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)

async function familyOf(pid: number): Promise<readonly number[]> {
  const children = new Map<number, number[]>()
  for (const each of await processes()) {
    // The 4th field; the 2nd, a name in parentheses, may hold anything.
    const stat = await readFile(`/proc/${each}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), each])
  }
  const family = [pid]
  for (const each of family) family.push(...(children.get(each) ?? []))
  return family
}

/** Programs of packages are told which one's they are. */
async function packageOf(pid: number): Promise<string | undefined> {
  const environment = (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).split('\0')
  for (const [name, kind] of [
    ['PROVIDER_NAME', 'Provider'],
    ['FUNCTION_NAME', 'Function'],
  ] as const) {
    const value = environment.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
    if (value !== undefined && /^[a-z0-9.-]+$/.test(value) && environment.some((each) => each.startsWith('REVISION_UID=')))
      return `${kind} ${value}`
  }
  return undefined
}
