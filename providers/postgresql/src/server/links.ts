import { readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** npm's archives contain no links; the package lists those that its libraries need, as paths that begin with `native/`. */
const LIST = 'pg-symlinks.json'

/** Makes the listed links of a server in `folder`, where they are not there yet. Where nothing is listed, there is nothing to make. */
export async function linkLibraries(folder: string): Promise<void> {
  const below = (path: string): string => join(folder, path.replace(/^native\//, ''))
  for (const { source, target } of await listed(join(folder, LIST))) {
    try {
      await symlink(relative(dirname(below(target)), below(source)), below(target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

async function listed(path: string): Promise<readonly { readonly source: string; readonly target: string }[]> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as readonly { source: string; target: string }[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
