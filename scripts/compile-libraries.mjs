// Compiles packages of ours for projects outside this repository: types, and JavaScript file by file.
import { spawnSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './setup.mjs'

/** What the packages are entered by, where that is not their index: it has more than others need. */
export const ENTRIES = { testing: 'authors' }

/** Leaves them in `out`, in folders as they lie in packages/. `emit`: more options for the compiler. */
export async function compileLibraries(names, out, emit = {}) {
  const sourceOf = (name) => join(root, 'packages', name, 'src', `${ENTRIES[name] ?? 'index'}.ts`)
  const tsconfig = `${out}.json`
  const compilerOptions = {
    typeRoots: [join(root, 'node_modules', '@types')],
    noEmit: false,
    rootDir: join(root, 'packages'),
    outDir: out,
    rewriteRelativeImportExtensions: true,
    // By the way of node_modules the compiler takes our own packages for somebody else's, of which it writes nothing; and which way it goes first differs from
    // run to run.
    paths: Object.fromEntries(names.map((name) => [`@weft/${name}`, [sourceOf(name)]])),
    ...emit,
  }
  await writeFile(
    tsconfig,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files: names.map(sourceOf) }),
  )
  const { status, stdout } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', tsconfig], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`cannot compile ${names.join(', ')}:\n${stdout}`)
  // In declarations the compiler leaves the names of files as they are written.
  for (const file of await readdir(out, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue
    const path = join(out, file)
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(/(['"])(\.[^'"]*)\.ts\1/g, '$1$2.js$1'))
  }
}
