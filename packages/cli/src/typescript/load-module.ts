import * as composition from '@weft/composition'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BuildFailure, Plugin } from 'esbuild'
import { CommandFailure } from '../report.ts'

/** Where a compiled module finds the one authoring module there is: ours, whatever its author has installed for the types. */
const AUTHORING = Symbol.for('weft.composition')

/**
 * Runs a user's TypeScript module with everything it imports, and answers its exports. Types are dropped, not checked: that is the compiler's work.
 * It runs with the rights of whoever runs the command, as any script does.
 */
export async function loadTypeScript(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(file)) throw new CommandFailure(`cannot read ${file}: there is no such file`)
  const code = await bundle(file)
  ;(globalThis as { [AUTHORING]?: unknown })[AUTHORING] = composition
  process.setSourceMapsEnabled(true)
  try {
    const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
    return (await import(/* @vite-ignore */ url)) as Readonly<Record<string, unknown>>
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new CommandFailure(`${file}${lineOf(cause, file)}: ${message}`, { cause })
  } finally {
    process.setSourceMapsEnabled(false)
  }
}

async function bundle(file: string): Promise<string> {
  const { build } = await esbuild()
  try {
    const { outputFiles } = await build({
      entryPoints: [resolve(file)],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      sourcemap: 'inline',
      logLevel: 'silent',
      plugins: [authoring],
    })
    return outputFiles[0]?.text ?? ''
  } catch (cause) {
    const [first] = (cause as Partial<BuildFailure>).errors ?? []
    if (first === undefined) throw cause
    const { location, text } = first
    throw new CommandFailure(location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : `${file}: ${text}`, { cause })
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

async function esbuild(): Promise<typeof import('esbuild')> {
  try {
    return await import('esbuild')
  } catch (cause) {
    throw new CommandFailure('compiling TypeScript needs the package esbuild, which is not installed: run `npm install esbuild`', { cause })
  }
}

/** The author's own line, from the stack. */
function lineOf(error: unknown, file: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const path = resolve(file)
  const at = stack.split('\n').find((line) => line.includes(`${path}:`))
  return at === undefined ? '' : (/:\d+(?=:\d+\)?$)/.exec(at)?.[0] ?? '')
}
