import { type Condition, isPaused } from '@weft/api'
import { anyOf, annotationsChanged, type ControllerSpec, done, generationChanged } from '@weft/runtime'
import { withStatus } from '../binding/conditions.ts'
import type { DefinitionServices } from '../definition/services.ts'
import { functionKind, type FunctionPackage } from './function-kind.ts'
import { placeOf } from './installed-functions.ts'
import { CORE_MANAGER } from '../definition/core-manager.ts'

/**
 * Says of every Function whether it can be used: at once if it is built in or has an address; else Healthy=False with what to do. There is nothing to
 * install.
 */
export function functionController(services: DefinitionServices): ControllerSpec<FunctionPackage> {
  return {
    name: 'function',
    kind: functionKind,
    predicate: anyOf(generationChanged, annotationsChanged),
    async reconcile({ name }, { client, primary }) {
      const given = primary.get({ name })
      if (given === undefined || given.metadata.deletionTimestamp !== undefined || isPaused(given)) return done
      const place = placeOf(given)
      const conditions: readonly Condition[] =
        typeof place === 'string'
          ? [
              { type: 'Installed', status: 'False', reason: 'InactivePackageRevision', message: place },
              { type: 'Healthy', status: 'False', reason: 'UnhealthyPackageRevision', message: place },
            ]
          : [
              { type: 'Installed', status: 'True', reason: 'ActivePackageRevision' },
              { type: 'Healthy', status: 'True', reason: 'HealthyPackageRevision' },
            ]
      const next = withStatus(given, { conditions, nowMs: services.clock.now() })
      if (next !== given) await client.updateStatus(next, { fieldManager: CORE_MANAGER })
      return done
    },
  }
}
