import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseJson } from '@weft/api'
import { diskStore } from '@weft/controllers'
import { reachableRoot } from '@weft/program'
import { type ProgramStore, programStore } from '@weft/xpkg'

/** A package that a control plane keeps in its data directory. */
export interface CachedPackage {
  readonly digest: string
  readonly type: string
  readonly name: string
  readonly bytes: number
}

export interface CacheContents {
  readonly packages: readonly CachedPackage[]
  /** Of what images run, which packages share. */
  readonly programBytes: number
}

/** What a control plane keeps of packages: it is fetched again when it is wanted. A control plane may be at work there. */
export interface PackageCache {
  look(): Promise<CacheContents>
  /** Removes what is none of these, given by digest; not what came within the last minutes, of which something may be about to be made. */
  prune(wanted: ReadonlySet<string>): Promise<void>
}

const packagesIn = (dataDir: string): string => join(dataDir, 'packages')

/** Where what images run is kept: below a folder that the users whom programs run as can pass through. */
export const programsIn = (dataDir: string): ProgramStore => programStore({ directory: () => programsFolder(dataDir) })
const programsFolder = async (dataDir: string): Promise<string> => join(await reachableRoot(resolve(dataDir)), 'programs')

export const packageCache = (dataDir: string): PackageCache => ({
  async look() {
    const folder = packagesIn(dataDir)
    const names = (await readdir(folder).catch(() => [])).filter((name) => !name.includes('.'))
    const packages = await Promise.all(names.map((name) => described(folder, name)))
    return {
      packages: packages.flatMap((each) => each ?? []).toSorted((a, b) => b.bytes - a.bytes),
      programBytes: await bytesBelow(await programsFolder(dataDir)),
    }
  },
  prune: (wanted) =>
    diskStore({ directory: packagesIn(dataDir), paths: { within: [] }, programs: programsIn(dataDir) }).prune?.(wanted) ??
    Promise.resolve(),
})

async function described(folder: string, name: string): Promise<CachedPackage | undefined> {
  try {
    const { type, name: packageName } = parseJson(await readFile(join(folder, name, 'package.json'), 'utf8')).value as Record<
      string,
      unknown
    >
    return { digest: `sha256:${name}`, type: String(type), name: String(packageName), bytes: await bytesBelow(join(folder, name)) }
  } catch {
    // It went meanwhile, or is damaged: then it is fetched again.
    return undefined
  }
}

async function bytesBelow(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats === undefined) return 0
  if (!stats.isDirectory()) return stats.size
  let bytes = 0
  for (const name of await readdir(path).catch(() => [])) bytes += await bytesBelow(join(path, name))
  return bytes
}
