import type { KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import type { ControllerSpec } from '../controller/controller.ts'
import type { Manager } from './manager.ts'

/**
 * The same manager for controllers that write through a client of their own: another account, say. They share watches, workers and leadership
 * with all others, and what is read from memory was read by the manager's own client.
 */
export function actingAs(manager: Manager, client: Client): Manager {
  // Starting the very same spec again changes nothing, so that it must stay the same here too.
  const known = new WeakMap<object, ControllerSpec>()
  const own = <T extends KubeObject>(spec: ControllerSpec<T>): ControllerSpec<T> => {
    let found = known.get(spec)
    if (found === undefined) known.set(spec, (found = { ...(spec as unknown as ControllerSpec), client }))
    return found as unknown as ControllerSpec<T>
  }
  const { engine } = manager
  return {
    client,
    informers: manager.informers,
    metrics: manager.metrics,
    log: manager.log,
    engine: {
      start: (spec) => engine.start(own(spec)),
      stop: (name, options) => engine.stop(name, options),
      get: (name) => engine.get(name),
      get wanted() {
        return engine.wanted
      },
      get running() {
        return engine.running
      },
      activate: () => engine.activate(),
      deactivate: (options) => engine.deactivate(options),
    },
    add: (spec) => manager.add(own(spec)),
    recorder: (component) => manager.recorder(component),
    get isLeader() {
      return manager.isLeader
    },
    get busy() {
      return manager.busy
    },
    start: () => manager.start(),
    stop: (options) => manager.stop(options),
    health: () => manager.health(),
  }
}
