// Commands that people wait for, each once more in a file of its own. The bundle is in pieces, so that a command loads only what it uses; but one that reads a few
// objects still needs forty of them, and Node takes about as long to find and link these as it takes to start.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Typed all day, and done in a moment. Whatever runs for longer gains nothing. */
export const QUICK_COMMANDS = ['get', 'describe', 'events', 'trace', 'status', 'delete', 'wait']

/** What these commands rarely need, and what takes long to compile: it stays outside, in files of the bundle that have these names. */
export const LATER = {
  'any-yaml': 'packages/client/src/kubeconfig/any-yaml.ts',
  'format-yaml': 'packages/cli/src/output/format-yaml.ts',
  'parse-manifests': 'packages/cli/src/manifests/parse-manifests.ts',
}

/** Leaves `quick-NAME.js` beside the bundle; bin/weft.mjs takes that file when its first word is NAME. */
export async function buildQuickCommands(esbuild, bundle) {
  const folder = join(bundle.absWorkingDir, bundle.outdir)
  for (const file of await readdir(folder)) if (/^quick-.*\.js$/.test(file)) await rm(join(folder, file))
  await Promise.all(QUICK_COMMANDS.map((name) => esbuild.build(quickBundle(bundle, name))))
}

export const quickBundle = ({ plugins, ...bundle }, name) => ({
  ...bundle,
  entryPoints: { [`quick-${name}`]: bundle.entryPoints.weft },
  // What is imported when it is needed is in the same file, and still runs only then.
  splitting: false,
  sourcemap: false,
  // Node compiles the file at every start, and takes a millisecond for 30 KB.
  minify: true,
  plugins: [...plugins, onlyCommand(name)],
})

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
