import type { KubeObject } from '@weft/api'
import { type FunctionModules, type FunctionRunner, FunctionRunners } from '@weft/functions'
import { createKindIndex } from './composite/kind-index.ts'
import { definitionController } from './definition/controller.ts'
import type { MemberRef } from './definition/definition.ts'
import { kindControllers } from './definition/kind-controllers.ts'
import type { DefinitionServices } from './definition/services.ts'
import { followFunctions } from './function/follow-functions.ts'
import { functionRevisionKind, packageNameOf } from './package/kinds.ts'
import { revisionController } from './revision/controller.ts'
import { xrController } from './xr/controller.ts'
import type { Disclosure } from './xr/live-requirements.ts'
import { definedAdapter, offeredAdapter } from './xrd/definition.ts'
import { claimController } from './xr-claim/controller.ts'
import type { CompositeResourceDefinition } from './xrd/xrd.ts'
import { membersOf } from './xr/machinery.ts'

export interface XrdControllersOptions {
  /** Who runs functions, given who runs those that are installed; that one unless told. */
  readonly functions?: (installed: FunctionRunner) => FunctionRunner
  /** Stands between functions and what they ask to see; nothing unless told. */
  readonly disclosure?: Disclosure
  /** Functions that are modules; none unless told. */
  readonly modules?: FunctionModules
}

/**
 * Starts the controllers of CompositeResourceDefinitions and of Compositions' revisions; the former start those of composite resources and claims.
 * Resolves when they are at work, or wanted while another process leads. Answers how to give back what they share.
 */
export async function startXrdControllers(
  services: DefinitionServices,
  { functions: given, disclosure, modules }: XrdControllersOptions = {},
): Promise<() => Promise<void>> {
  const index = createKindIndex(services.informers, () => services.mapper?.invalidate())
  const installed = followFunctions(services, modules)
  const runners = new FunctionRunners(installed.directory)
  const functions = given?.(runners) ?? runners
  await Promise.all([index.synced, installed.synced])
  const composites = kindControllers(services.engine, (xrd: CompositeResourceDefinition, kind) =>
    xrController({ xrd, kind, index, services, runner: functions, disclosure }),
  )
  const claims = kindControllers(services.engine, (xrd: CompositeResourceDefinition, kind) => claimController({ xrd, kind, services }))
  await Promise.all([
    services.engine.start(
      revisionController(services, {
        revisions: functionRevisionKind,
        nameOf: packageNameOf,
        unfit: (name) => installed.unfit(name, 'composition'),
      }),
    ),
    services.engine.start(definitionController(definedAdapter({ ...composites, membersOf: madeBy }), services)),
    services.engine.start(definitionController(offeredAdapter(claims), services)),
  ])
  return async () => {
    runners.close()
    await Promise.all([index.stop(), installed.release()])
  }
}

/** Wherever its kind keeps the references. */
const madeBy = (xr: KubeObject): readonly MemberRef[] => [...membersOf(xr, 'Cluster'), ...membersOf(xr, 'LegacyCluster')]
