// Makes packages/cli/dist/authoring: the module @weft/composition for projects outside this repository, as a package that needs no other.
// `weft compile` brings its own; this one is for the compiler, the editor, and tests of compositions.
import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { tmpdir } from 'node:os'
import { root } from './setup.mjs'

export async function buildAuthoringPackage(esbuild, target) {
  await rm(target, { recursive: true, force: true })
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: { index: 'packages/composition/src/index.ts' },
    outdir: target,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
  })
  await declarations(target)
  const { version, license } = JSON.parse(await readFile(join(root, 'packages', 'composition', 'package.json'), 'utf8'))
  const manifest = {
    name: '@weft/composition',
    version,
    license,
    type: 'module',
    exports: { '.': { types: './types/composition/src/index.d.ts', default: './index.js' } },
  }
  await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

/**
 * Our own packages by the way of their sources. By the way of node_modules the compiler takes them for somebody else's, of which it writes nothing; and
 * which of two ways it goes first differs from run to run.
 */
export const pathsOf = (names) =>
  Object.fromEntries(names.map((name) => [`@weft/${name}`, [join(root, 'packages', name, 'src', 'index.ts')]]))

async function declarations(target) {
  const out = await mkdtemp(join(tmpdir(), 'weft-types-'))
  try {
    const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--rootDir', 'packages', '--outDir', out]
    const tsconfig = join(out, 'tsconfig.json')
    const files = ['packages/composition/src/index.ts', 'packages/api/src/index.ts'].map((file) => join(root, file))
    const compilerOptions = { typeRoots: [join(root, 'node_modules', '@types')], paths: pathsOf(['composition', 'api']) }
    await writeFile(tsconfig, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }))
    const { status, stdout } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', tsconfig, ...options], {
      cwd: root,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`cannot write the types of the authoring package:\n${stdout}`)
    for (const name of ['composition', 'api']) await cp(join(out, name), join(target, 'types', name), { recursive: true })
  } finally {
    await rm(out, { recursive: true, force: true })
  }
  const types = join(target, 'types')
  for (const file of await readdir(types, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue
    const path = join(types, file)
    const api = relative(dirname(path), join(types, 'api', 'src', 'index.js'))
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replaceAll(/(['"])(\.[^'"]*)\.ts\1/g, '$1$2.js$1').replaceAll(/(['"])@weft\/api\1/g, `'${api}'`))
  }
}
