// Makes packages/cli/dist/authoring: the module @weft/composition for projects outside this repository, as a package that needs no other.
// `weft compile` brings its own; this one is for the compiler, the editor, and tests of compositions.
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { tmpdir } from 'node:os'
import { compileLibraries } from './compile-libraries.mjs'
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

async function declarations(target) {
  const names = ['composition', 'api']
  const out = await mkdtemp(join(tmpdir(), 'weft-types-'))
  try {
    const compiled = join(out, 'compiled')
    await compileLibraries(names, compiled, { emitDeclarationOnly: true })
    for (const name of names) await cp(join(compiled, name), join(target, 'types', name), { recursive: true })
  } finally {
    await rm(out, { recursive: true, force: true })
  }
  const types = join(target, 'types')
  for (const file of await readdir(types, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue
    const path = join(types, file)
    const api = relative(dirname(path), join(types, 'api', 'src', 'index.js'))
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(/(['"])@weft\/api\1/g, `'${api}'`))
  }
}
