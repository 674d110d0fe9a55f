import { messageOf } from '@weft/api'
import * as composition from '@weft/composition'
import { existsSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { CommandFailure } from '../report.ts'
import { asBuildFailure, esbuild } from './esbuild.ts'

/** Where a compiled module finds the one authoring module there is: ours, whatever its author has installed for the types. */
const AUTHORING = Symbol.for('weft.composition')

/**
 * Runs a user's TypeScript module with everything it imports, and answers its exports. Types are dropped, not checked: that is the compiler's work.
 * It runs with the rights of whoever runs the command, as any script does.
 */
export async function loadTypeScript(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(file)) throw new CommandFailure(`cannot read ${file}: there is no such file`)
  const { code, map } = await bundle(file)
  ;(globalThis as { [AUTHORING]?: unknown })[AUTHORING] = composition
  try {
    const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
    return (await import(/* @vite-ignore */ url)) as Readonly<Record<string, unknown>>
  } catch (cause) {
    const message = messageOf(cause)
    throw new CommandFailure(`${placeOf(cause, map, file) ?? file}: ${message}`, { cause })
  }
}

interface Bundle {
  readonly code: string
  /** From lines of the code to those of its sources. */
  readonly map: SourceMap
}

async function bundle(file: string): Promise<Bundle> {
  const { build } = await esbuild()
  const url = pathToFileURL(resolve(file)).href
  try {
    const { outputFiles } = await build({
      entryPoints: [resolve(file)],
      bundle: true,
      write: false,
      outfile: `${resolve(file)}.js`,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      sourcemap: 'external',
      logLevel: 'silent',
      plugins: [authoring],
      // The code is run from nowhere; to its author it stands where the file is.
      define: { 'import.meta.url': JSON.stringify(url) },
      banner: {
        js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(${JSON.stringify(url)});`,
      },
    })
    const textOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
    return { code: textOf('.js'), map: new SourceMap(JSON.parse(textOf('.map')) as SourceMapPayload) }
  } catch (cause) {
    throw asBuildFailure(cause, file)
  }
}

const authoring: Plugin = {
  name: 'authoring',
  setup(build) {
    build.onResolve({ filter: /^@weft\/composition$/ }, ({ path }) => ({ path, namespace: 'weft' }))
    build.onLoad({ filter: /.*/, namespace: 'weft' }, () => ({
      contents: `export const { ${Object.keys(composition).join(', ')} } = globalThis[Symbol.for('weft.composition')]`,
    }))
  },
}

/** The author's own file and line: the innermost of the stack. Node maps the lines of files, but not of code that is in none. */
function placeOf(error: unknown, map: SourceMap, file: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const [, line, column] = /data:text\/javascript;base64,[^:\s]*:(\d+):(\d+)/.exec(stack) ?? []
  if (line === undefined) return undefined
  const entry = map.findEntry(Number(line) - 1, Number(column) - 1)
  return 'originalSource' in entry ? `${join(dirname(file), entry.originalSource)}:${entry.originalLine + 1}` : undefined
}
