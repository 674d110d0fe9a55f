import { copyFile, link, mkdir, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { prepareProcessPlace, type ProcessUser, share } from '@weft/program'
import type { ProgramPlace, StoredProvider } from '@weft/terraform'

/**
 * Where the programs of providers are run from, and as whom. As root, each provider is a user of its own, who can read neither Weft's data and
 * keys nor anything of another provider; else all run as we do.
 */
export function programPlaces(dataDir: string): (provider: StoredProvider) => Promise<ProgramPlace> {
  if (process.getuid?.() !== 0) return ({ program }) => Promise.resolve({ executable: program })
  const places = new Map<string, Promise<ProgramPlace>>()
  return (provider) => {
    const { programHash } = provider
    let place = places.get(programHash)
    if (place === undefined) {
      places.set(programHash, (place = prepare(dataDir, provider)))
      // Whatever stood in the way may be gone the next time.
      place.catch(() => places.delete(programHash))
    }
    return place
  }
}

async function prepare(dataDir: string, { address, program, programHash }: StoredProvider): Promise<ProgramPlace> {
  const name = `terraform-${address.host}-${address.namespace}-${address.type}`.replace(/[^A-Za-z0-9.-]/g, '_')
  const { run, user } = await prepareProcessPlace(dataDir, name, `terraform-${programHash.slice(0, 16)}`)
  const files = join(run, 'files')
  await linkFiles(dirname(program), files, user)
  return { executable: join(files, basename(program)), user }
}

/** The same files, not copies of them: a program can have hundreds of megabytes. */
async function linkFiles(from: string, to: string, user: ProcessUser | undefined): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  await share(to, user)
  for (const name of await readdir(from)) {
    const [source, target] = [join(from, name), join(to, name)]
    if ((await stat(source)).isDirectory()) await linkFiles(source, target, user)
    else {
      // Not on the same disk.
      await link(source, target).catch(() => copyFile(source, target))
      await share(target, user)
    }
  }
}
