import type { BuildOptions } from 'esbuild'

export const QUICK_COMMANDS: readonly string[]

export function quickBundle(bundle: BuildOptions, name: string): BuildOptions
