import { readFileSync } from 'node:fs'
import type { KubeObject } from '@weft/api'
import { createClient, createRestMapper, systemClock } from '@weft/client'
import { startDefinitionControllers, startManagedDefinitionControllers } from '@weft/controllers'
import { createManager, type Manager, silentLog } from '@weft/runtime'
import { parse } from 'yaml'
import { EXAMPLES } from './seed-examples.ts'
import { type SeedWorld, startSeedWorld } from './seed-world.ts'

export interface DefinitionWorld extends SeedWorld {
  readonly manager: Manager
}

/** The world of the other examples, with definitions, composites and requirements in it. */
export async function startDefinitionWorld(activations: readonly string[] = ['*']): Promise<DefinitionWorld> {
  const world = await startSeedWorld()
  const { transport } = world.client
  const mapper = createRestMapper({ transport })
  const manager = createManager({ client: createClient({ transport, mapper, fieldManager: 'weft' }), log: silentLog })
  manager.start()
  const services = {
    client: manager.client,
    informers: manager.informers,
    engine: manager.engine,
    recorder: (component: string) => manager.recorder(component),
    clock: systemClock,
    random: Math.random,
    mapper,
  }
  await startManagedDefinitionControllers(services, { activations })
  await startDefinitionControllers(services)
  return {
    ...world,
    manager,
    async stop() {
      await manager.stop({ drainMs: 0 })
      await world.stop()
    },
  }
}

/** The one object of an example that no YAML parser takes: a list item that begins with `*` wants quotes (B21). */
export function quotedExample(name: string): KubeObject {
  const text = readFileSync(`${EXAMPLES}${name}.yaml`, 'utf8').replace(/^(\s*- )(\*\S*)$/gm, '$1"$2"')
  return parse(text) as KubeObject
}

/** Rights of every kind for an account that a definition names: what they limit is tested elsewhere. */
export const mayDoEverything = (namespace: string, name: string): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: `everything-${name}` },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'ServiceAccount', namespace, name }],
})

/** A deep copy with changes made in it. */
export function changed(object: KubeObject, change: (copy: Record<string, Record<string, Record<string, unknown>>>) => void): KubeObject {
  const copy = structuredClone(object)
  change(copy as never)
  return copy
}
