import type { RunFunctionRequest } from '../protocol/request.ts'
import type { RunFunctionResponse } from '../protocol/response.ts'
import { autoReady } from './auto-ready/auto-ready.ts'
import { patchAndTransform } from './patch-and-transform/patch-and-transform.ts'

/** A function that is part of this program: no download, no process. Pure; throws only on a bug. */
export type BuiltInFunction = (request: RunFunctionRequest) => RunFunctionResponse | Promise<RunFunctionResponse>

interface BuiltIn {
  readonly run: BuiltInFunction
  /** What its package says that it is for. */
  readonly capabilities: readonly string[]
}

const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  'function-patch-and-transform': { run: patchAndTransform, capabilities: ['composition'] },
  'function-auto-ready': { run: autoReady, capabilities: ['composition'] },
  // Rarely used, and the messages of the protocol that it merges take time to load.
  'function-dummy': {
    run: async (request) => (await import('./dummy/dummy.ts')).dummy(request),
    capabilities: ['composition', 'operation'],
  },
}

/**
 * The built-in function that stands for a package, by the last part of its repository and by nothing else: whatever registry or mirror it
 * comes from, whatever its version, whatever the Function is called. Undefined: it has to be run.
 */
export const builtInFunction = (packageReference: string): BuiltInFunction | undefined => find(packageReference)?.run

/** What the built-in function of a package is for: Compositions, operations. Undefined: it is not built in. */
export const builtInCapabilities = (packageReference: string): readonly string[] | undefined => find(packageReference)?.capabilities

function find(packageReference: string): BuiltIn | undefined {
  const repository = packageReference.split('@', 1)[0] ?? ''
  const name = repository.slice(repository.lastIndexOf('/') + 1).split(':', 1)[0] ?? ''
  return Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined
}
