import { builtInCapabilities, type FunctionDirectory, type FunctionModules } from '@weft/functions'
import type { DefinitionServices } from '../definition/services.ts'
import { functionKind, functionRevisionKind, isActiveRevision, packageNameOf } from '../package/kinds.ts'
import { installedFunctions } from './installed-functions.ts'

/** The functions of a control plane, as whoever asks them knows them. */
export interface FollowedFunctions {
  readonly directory: FunctionDirectory
  readonly synced: Promise<unknown>
  /** Why a function cannot be used for something, as far as its package says; undefined when it can, or nobody knows. */
  unfit(functionName: string, capability: string): string | undefined
  release(): Promise<void>
}

export function followFunctions(
  { informers, client }: Pick<DefinitionServices, 'informers' | 'client'>,
  modules?: FunctionModules,
): FollowedFunctions {
  const functions = informers.acquire({ kind: functionKind })
  const revisions = informers.acquire({ kind: functionRevisionKind })
  return {
    directory: installedFunctions({ functions: functions.informer, revisions: revisions.informer, client, modules }),
    synced: Promise.all([functions.informer.synced, revisions.informer.synced]),
    unfit(name, capability) {
      const found = functions.informer.get({ name })
      const active = revisions.informer.list().find((each) => packageNameOf(each) === name && isActiveRevision(each))
      // K177: a package that does not say so is for compositions only; of a program under development nobody knows.
      const builtIn = found === undefined ? undefined : builtInCapabilities(found.spec.package)
      const capabilities = builtIn ?? active?.status?.capabilities
      if (capabilities === undefined || capabilities.includes(capability)) return undefined
      const what = capabilities.includes('composition') ? ': it is for Compositions' : ''
      return `function ${JSON.stringify(name)} does not have the capability ${capability}${what}`
    },
    release: async () => void (await Promise.all([functions.release(), revisions.release()])),
  }
}
