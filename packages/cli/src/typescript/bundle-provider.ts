import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { asBuildFailure, esbuild } from './esbuild.ts'

/** Some CommonJS dependencies call require(). */
const BANNER = "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"

/** Makes one JavaScript module of a provider's source and everything that it imports. Types are dropped, not checked: that is the compiler's work. */
export async function bundleProvider(source: string, target: string): Promise<void> {
  const { build } = await esbuild()
  try {
    await build({
      entryPoints: [resolve(source)],
      outfile: resolve(target),
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      // With comments it would say where its parts are on this machine: the same source always gives the same bytes.
      minifyWhitespace: true,
      logLevel: 'silent',
      plugins: [sdk],
      banner: { js: BANNER },
    })
  } catch (cause) {
    throw asBuildFailure(cause, source)
  }
}

/** The SDK that the author installed, else the one that comes with this command: a provider can be written with nothing but Weft. */
const sdk: Plugin = {
  name: 'provider-sdk',
  setup(build) {
    build.onResolve({ filter: /^@weft\/provider-sdk$/ }, async ({ path, pluginData, ...given }) => {
      if (pluginData === 'asked') return undefined
      const { importer, resolveDir, kind, namespace } = given
      const own = await build.resolve(path, { importer, resolveDir, kind, namespace, pluginData: 'asked' })
      return own.errors.length === 0 ? own : { path: ours(), sideEffects: false }
    })
  },
}

function ours(): string {
  const beside = fileURLToPath(new URL('./provider-sdk.mjs', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(import.meta.resolve('@weft/provider-sdk'))
}
