import type { BuildOptions } from 'esbuild'

/** The command line with all that it runs, in pieces that are loaded when they are needed. */
export const commandBundle: BuildOptions
