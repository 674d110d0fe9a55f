import { deepEqual } from '@weft/api'
import { AGGREGATION_FIELD_MANAGER, aggregateRules, type ClusterRole, RBAC_GROUP } from '../auth/index.ts'
import type { RegistryServices, ResourceType } from '../registry/index.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { type LifecycleService, SystemWriter, unless } from './system.ts'

/** Keeps the rules of aggregated ClusterRoles equal to the union of the roles they select. */
export class AggregatedClusterRoles implements LifecycleService {
  readonly #services: RegistryServices
  readonly #type: ResourceType
  readonly #writer: SystemWriter
  readonly #queue: KeyedQueue<'all'>
  readonly #cancel: () => void

  constructor(services: RegistryServices, onError: (what: string, error: unknown) => void) {
    this.#services = services
    this.#type = services.catalog.builtIn(RBAC_GROUP, 'clusterroles')
    this.#writer = new SystemWriter(services, AGGREGATION_FIELD_MANAGER)
    this.#queue = new KeyedQueue(
      () => this.#reconcile(),
      (_key, error) => onError('aggregated cluster roles', error),
    )
    const store = services.catalog.store(this.#type)
    this.#cancel = store.follow(store.revision, () => this.#queue.add('all'))
    this.#queue.add('all')
  }

  async stop(): Promise<void> {
    this.#cancel()
    await this.#queue.stop()
  }

  async #reconcile(): Promise<void> {
    const roles = [...this.#services.catalog.store(this.#type).scan(this.#type.storage.prefix)].map(({ object }) => object as ClusterRole)
    for (const role of roles) {
      const rules = aggregateRules(role, roles)
      if (rules === undefined || deepEqual(rules, role.rules ?? [])) continue
      await this.#writer.update(this.#type, role, '', (live) => ({ ...live, rules })).catch(unless('NotFound'))
    }
  }
}
