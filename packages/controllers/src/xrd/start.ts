import { type FunctionRunner, FunctionRunners } from '@weft/functions'
import { createKindIndex, type KindIndex } from '../composite/kind-index.ts'
import { definitionController } from '../definition/controller.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { functionController } from '../function/controller.ts'
import { functionKind } from '../function/function-kind.ts'
import { installedFunctions } from '../function/installed-functions.ts'
import { revisionController } from '../revision/controller.ts'
import { type XrController, xrController } from '../xr/controller.ts'
import { machineryOf } from '../xr/machinery.ts'
import { xrSettings } from '../xr/settings.ts'
import { type DefinedControllers, definedAdapter, offeredAdapter } from './definition.ts'
import { type ClaimController, claimController } from '../xr-claim/controller.ts'
import { referenceable } from './xrd.ts'

export interface XrdControllersOptions {
  /** Who runs functions; those that are installed unless given. */
  readonly functions?: FunctionRunner
}

/**
 * Starts the controllers of CompositeResourceDefinitions and of Compositions' revisions; the former start those of composite resources and claims.
 * Resolves when they are at work, or wanted while another process leads. Answers how to give back what they share.
 */
export async function startXrdControllers(
  services: DefinitionServices,
  { functions: given }: XrdControllersOptions = {},
): Promise<() => Promise<void>> {
  const index = createKindIndex(services.informers, () => services.mapper?.invalidate())
  const installed = services.informers.acquire({ kind: functionKind })
  const runners = new FunctionRunners(installedFunctions(installed.informer))
  const functions = given ?? runners
  await Promise.all([index.synced, installed.informer.synced])
  await Promise.all([
    services.engine.start(functionController(services)),
    services.engine.start(revisionController(services)),
    services.engine.start(definitionController(definedAdapter(xrControllers(services, index, functions)), services)),
    services.engine.start(definitionController(offeredAdapter(claimControllers(services)), services)),
  ])
  return async () => {
    runners.close()
    await Promise.all([index.stop(), installed.release()])
  }
}

function xrControllers(services: DefinitionServices, index: KindIndex, runner: FunctionRunner): DefinedControllers {
  const running = new Map<string, XrController>()
  const stop = async (name: string): Promise<void> => {
    const controller = running.get(name)
    if (controller === undefined) return
    running.delete(name)
    await services.engine.stop(controller.spec.name)
    await controller.close()
  }
  return {
    async start(xrd, kind) {
      const definition = xrd.metadata.name ?? ''
      const settings = xrSettings(xrd)
      const known = running.get(definition)
      if (known !== undefined && known.kind.kind === kind.kind && known.kind.version === kind.version) return known.configure(settings)
      await stop(definition)
      const controller = xrController({ definition, kind, settings, index, services, runner })
      running.set(definition, controller)
      await services.engine.start(controller.spec)
    },
    stop,
    membersOf: (xr) =>
      [...(machineryOf(xr, 'Cluster').resourceRefs ?? []), ...(machineryOf(xr, 'LegacyCluster').resourceRefs ?? [])].flatMap(
        ({ apiVersion = '', kind = '', name = '', namespace }) =>
          name === '' ? [] : [{ apiVersion, kind, name, namespace: xr.metadata.namespace ?? namespace }],
      ),
  }
}

function claimControllers(services: DefinitionServices): DefinedControllers {
  const running = new Map<string, ClaimController>()
  const stop = async (name: string): Promise<void> => {
    const controller = running.get(name)
    if (controller === undefined) return
    running.delete(name)
    await services.engine.stop(controller.spec.name)
    await controller.close()
  }
  return {
    async start(xrd, kind) {
      const definition = xrd.metadata.name ?? ''
      const xrKind = {
        group: xrd.spec.group,
        version: referenceable(xrd)?.name ?? kind.version,
        kind: xrd.spec.names.kind,
        plural: xrd.spec.names.plural,
        namespaced: false,
      }
      const known = running.get(definition)
      if (known !== undefined && known.kind.kind === kind.kind && known.kind.version === kind.version) return known.configure(xrd)
      await stop(definition)
      const controller = claimController({ definition, xrd, kind, xrKind, services })
      running.set(definition, controller)
      await services.engine.start(controller.spec)
    },
    stop,
  }
}
