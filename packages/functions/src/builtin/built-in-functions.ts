import type { RunFunctionRequest } from '../protocol/request.ts'
import type { RunFunctionResponse } from '../protocol/response.ts'
import { autoReady } from './auto-ready/auto-ready.ts'
import { patchAndTransform } from './patch-and-transform/patch-and-transform.ts'

/** A function that is part of this program: no download, no process. Pure; throws only on a bug. */
export type BuiltInFunction = (request: RunFunctionRequest) => RunFunctionResponse | Promise<RunFunctionResponse>

const BUILT_IN: Readonly<Record<string, BuiltInFunction>> = {
  'function-patch-and-transform': patchAndTransform,
  'function-auto-ready': autoReady,
  // Rarely used, and the messages of the protocol that it merges take time to load.
  'function-dummy': async (request) => (await import('./dummy/dummy.ts')).dummy(request),
}

/**
 * The built-in function that stands for a package, by the last part of its repository and by nothing else: whatever registry or mirror it
 * comes from, whatever its version, whatever the Function is called. Undefined: it has to be run.
 */
export function builtInFunction(packageReference: string): BuiltInFunction | undefined {
  const repository = packageReference.split('@', 1)[0] ?? ''
  const name = repository.slice(repository.lastIndexOf('/') + 1).split(':', 1)[0] ?? ''
  return Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined
}
