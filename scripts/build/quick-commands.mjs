// Commands that people wait for, each once more in a file of its own. The bundle is in pieces, so that a command loads only what it uses; but one that reads a few
// objects still needs forty of them, and Node takes about as long to find and link these as it takes to start.
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Typed all day, and done in a moment. Whatever runs for longer gains nothing. */
export const QUICK_COMMANDS = ['get', 'describe', 'events', 'trace', 'status', 'delete', 'wait']

/** What these commands rarely need, and what takes long to compile: it stays outside, in files of the bundle that have these names. */
export const LATER = {
  'any-yaml': 'packages/client/src/kubeconfig/any-yaml.ts',
  'format-yaml': 'packages/cli/src/output/format-yaml.ts',
  'parse-manifests': 'packages/cli/src/manifests/parse-manifests.ts',
}

/** Leaves `quick-NAME.cjs` beside the bundle, and what takes that file when the first word is NAME (see packages/cli/src/quick). */
export async function buildQuickCommands(esbuild, bundle) {
  const folder = join(bundle.absWorkingDir, bundle.outdir)
  for (const file of await readdir(folder)) if (/^quick-.*\.c?js$/.test(file)) await rm(join(folder, file))
  await Promise.all(
    QUICK_COMMANDS.map(async (name) => {
      const { outputFiles } = await esbuild.build({ ...quickBundle(bundle, name), write: false })
      for (const { path, text } of outputFiles) await writeFile(path, importingByFunction(text))
    }),
  )
  await esbuild.build({ ...oneFile(bundle), entryPoints: { 'quick-main': 'packages/cli/src/quick/quick-main.ts' } })
}

/** A script, not a module: of scripts V8's code can be kept, and Node does not load what nobody asked for. */
const oneFile = ({ banner: _banner, ...bundle }) => ({
  ...bundle,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  // What is imported when it is needed is in the same file, and still runs only then.
  splitting: false,
  sourcemap: false,
  // Node compiles the file at every start, and takes a millisecond for 30 KB.
  minify: true,
})

export const quickBundle = (bundle, name) => ({
  ...oneFile(bundle),
  entryPoints: { [`quick-${name}`]: bundle.entryPoints.weft },
  banner: { js: '(function (require, __load) { "use strict"; const module = {};' },
  footer: { js: 'return module.exports })' },
  plugins: [...bundle.plugins, onlyCommand(name)],
})

/** Scripts have no loader of modules, so whoever runs them gives them one. Only what `onlyCommand` leaves outside is imported. */
function importingByFunction(text) {
  const [before, ...rest] = text.split(/\bimport\((?="\.\/[a-z-]+\.js"\))/)
  const changed = [before, ...rest].join('__load(')
  if (rest.length === 0 || /\bimport\(/.test(changed)) throw new Error('a quick command imports something that nobody gives it')
  return changed
}

/** The other commands stay outside, too: the file is loaded for this one alone. */
const onlyCommand = (name) => ({
  name: 'only one command',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path, importer }) => {
      if (kind !== 'dynamic-import') return undefined
      const later = Object.keys(LATER).find((each) => path.endsWith(`/${each}.ts`))
      if (later !== undefined) return { path: `./${later}.js`, external: true }
      const isOther = /\/cli\/src\/(commands|weft)\.ts$/.test(importer) && path !== `./commands/${name}.ts`
      return isOther ? { path: './weft.js', external: true } : undefined
    })
  },
})
