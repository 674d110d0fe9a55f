// Makes what can be published on npm: one tarball a package.
// The command is the bundle; the libraries are what authors of providers and compositions import, as JavaScript with types. Nothing of them needs this
// repository, its workspaces or TypeScript at run time.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { OUTSIDE } from '../build.mjs'
import { directImports } from '../build/direct-imports.mjs'
import { compileLibraries, ENTRIES } from '../compile-libraries.mjs'
import { ensureBuilt, root, run } from '../setup.mjs'
import { npmPage } from './npm-pages.mjs'

/** Each needs only those before it. */
const LIBRARIES = ['api', 'client', 'composition', 'runtime', 'provider-sdk']
/** Has an API server inside, of which nothing else is published: one file, with the types of what it offers. */
const TESTING = 'testing'

/** @returns {Promise<string[]>} the tarballs */
export async function packNpm(target) {
  // Only where that is out of date: others read the bundle meanwhile.
  ensureBuilt()
  const work = await mkdtemp(join(tmpdir(), 'weft-pack-'))
  try {
    const compiled = join(work, 'compiled')
    await compileLibraries([...LIBRARIES, TESTING], compiled)
    for (const name of LIBRARIES) await layLibrary(name, compiled, join(work, 'packages', name))
    await layTesting(compiled, join(work, 'packages', TESTING))
    await layCommand(join(work, 'packages', 'cli'))
    await rm(target, { recursive: true, force: true })
    await mkdir(target, { recursive: true })
    for (const name of [...LIBRARIES, TESTING, 'cli']) npmPack(join(work, 'packages', name), target)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return (await readdir(target)).map((file) => join(target, file))
}

async function layLibrary(name, compiled, folder) {
  const manifest = await manifestOf(name)
  await cp(join(compiled, name, 'src'), join(folder, 'dist'), { recursive: true })
  await layManifest(folder, {
    ...manifest,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    dependencies: withVersions(manifest.dependencies ?? {}, manifest.version),
  })
}

async function layTesting(compiled, folder) {
  const { dependencies: _dependencies, ...manifest } = await manifestOf(TESTING)
  const dist = join(folder, 'dist')
  await cp(join(compiled, TESTING, 'src'), dist, { recursive: true, filter: (path) => !path.endsWith('.js') })
  const published = LIBRARIES.map((name) => `@weft/${name}`)
  const { build } = await import('esbuild')
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { index: join('packages', TESTING, 'src', `${ENTRIES[TESTING]}.ts`) },
    outdir: dist,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Errors and clients are told by their classes: they have to be those that the author imports.
    external: [...published, ...OUTSIDE],
    plugins: [directImports(root, published)],
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    metafile: true,
    logLevel: 'warning',
  })
  const used = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  const unexpected = used.filter((path) => OUTSIDE.includes(path))
  if (unexpected.length > 0) throw new Error(`@weft/${TESTING} would need ${unexpected.join(', ')}`)
  await layManifest(folder, {
    ...manifest,
    exports: { '.': { types: `./dist/${ENTRIES[TESTING]}.d.ts`, default: './dist/index.js' } },
    dependencies: Object.fromEntries(published.filter((name) => used.includes(name)).map((name) => [name, manifest.version])),
    // For startControlPlane alone.
    peerDependencies: { '@weft/cli': manifest.version },
    peerDependenciesMeta: { '@weft/cli': { optional: true } },
  })
}

/** What the bundle could not take in is installed beside it, at the versions that it was tested with. */
async function layCommand(folder) {
  const { name, version, license, type, bin } = await manifestOf('cli')
  await cp(join(root, 'packages', 'cli', 'dist'), join(folder, 'dist'), { recursive: true })
  await cp(join(root, 'packages', 'cli', 'bin'), join(folder, 'bin'), { recursive: true })
  await layManifest(folder, {
    name,
    version,
    license,
    type,
    bin,
    engines: { node: '>=20.19' },
    dependencies: await installedVersions(OUTSIDE),
  })
}

async function layManifest(folder, manifest) {
  const { private: _private, devDependencies: _devDependencies, ...published } = manifest
  const { description, page } = npmPage(manifest.name.replace('@weft/', ''))
  const complete = { ...published, description, files: ['bin', 'dist'], publishConfig: { access: 'public', provenance: true } }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(complete, undefined, 2)}\n`)
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  await writeFile(join(folder, 'README.md'), page)
}

const manifestOf = async (name) => JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8'))

/** Our own packages are of one version, and go together. */
const withVersions = (dependencies, version) =>
  Object.fromEntries(Object.entries(dependencies).map(([name, wanted]) => [name, name.startsWith('@weft/') ? version : wanted]))

/** As the lock file has them. */
async function installedVersions(names) {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  return Object.fromEntries(
    names.map((name) => {
      const locked = packages[`node_modules/${name}`]
      if (locked === undefined) throw new Error(`${name} is outside of the bundle, and not in the lock file`)
      return [name, locked.version]
    }),
  )
}

function npmPack(folder, target) {
  const status = run('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`npm pack failed in ${relative(tmpdir(), folder)}`)
}
