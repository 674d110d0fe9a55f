import type { BuildFailure } from 'esbuild'
import { CommandFailure } from '../report.ts'

/** The compiler, which is loaded where something is compiled. */
export async function esbuild(): Promise<typeof import('esbuild')> {
  try {
    return await import('esbuild')
  } catch (cause) {
    throw new CommandFailure('compiling TypeScript needs the package esbuild, which is not installed: run `npm install esbuild`', { cause })
  }
}

/** What it found wrong, with the place in the author's file. */
export function asBuildFailure(cause: unknown, file: string): unknown {
  const [first] = (cause as Partial<BuildFailure>).errors ?? []
  if (first === undefined) return cause
  const { location, text } = first
  const message = location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : `${file}: ${text}`
  return new CommandFailure(message, { cause })
}
