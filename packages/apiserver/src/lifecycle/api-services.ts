import type { KubeObject } from '@weft/api'
import type { RegistryServices, ResourceType } from '../registry/index.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { type LifecycleService, SystemWriter, unless } from './system.ts'

const GROUP = 'apiregistration.k8s.io'
const MANAGED = 'kube-aggregator.kubernetes.io/automanaged'
/** Kubernetes' priorities: they only order what clients are offered. */
const CORE = { groupPriorityMinimum: 18_000, versionPriority: 1 }
const BUILT_IN = { groupPriorityMinimum: 17_000, versionPriority: 15 }
const CUSTOM = { groupPriorityMinimum: 1000, versionPriority: 100 }

/** Shows every served group version as an APIService, as the aggregator of kube-apiserver does. */
export class ApiServices implements LifecycleService {
  readonly #services: RegistryServices
  readonly #type: ResourceType
  readonly #writer: SystemWriter
  readonly #queue: KeyedQueue<'all'>
  readonly #cancel: () => void

  constructor(services: RegistryServices, onError: (what: string, error: unknown) => void) {
    this.#services = services
    this.#type = services.catalog.builtIn(GROUP, 'apiservices')
    this.#writer = new SystemWriter(services, 'kube-apiserver')
    this.#queue = new KeyedQueue(
      () => this.#reconcile(),
      (_key, error) => onError('API services', error),
    )
    this.#cancel = services.catalog.onChange(() => this.#queue.add('all'))
    this.#queue.add('all')
  }

  async stop(): Promise<void> {
    this.#cancel()
    await this.#queue.stop()
  }

  async #reconcile(): Promise<void> {
    const { catalog } = this.#services
    const { prefix } = this.#type.storage
    const store = catalog.store(this.#type)
    const wanted = new Map(catalog.groupVersions().map((type) => [`${type.version}.${type.group}`, type]))
    const missing = [...wanted].filter(([name]) => store.get(prefix + name) === undefined)
    // By their keys: this is done for every kind that comes, and nearly always nothing is to be done.
    const unwanted = store.scan(prefix).filter(({ key }) => !wanted.has(key.slice(prefix.length)))
    const stale = unwanted.map(({ object }) => object).filter(({ metadata }) => metadata.labels?.[MANAGED] !== undefined)
    await Promise.all([
      ...missing.map(([name, type]) => this.#writer.create(this.#type, apiService(name, type)).catch(unless('AlreadyExists'))),
      ...stale.map((object) => this.#writer.delete(this.#type, object).catch(unless('NotFound'))),
    ])
  }
}

const apiService = (name: string, { group, version, custom }: ResourceType): KubeObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'APIService',
  metadata: { name, labels: { [MANAGED]: custom ? 'true' : 'onstart' } },
  spec: { ...(group !== '' && { group }), version, ...(custom ? CUSTOM : group === '' ? CORE : BUILT_IN) },
})
