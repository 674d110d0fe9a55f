import { deepEqual, type KubeObject } from '@weft/api'
import { recordAt } from '../kinds/read.ts'
import { amountsOf, type QuotaLedger } from '../quota/index.ts'
import { type RegistryServices, type ResourceType, storageKey } from '../registry/index.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { type LifecycleService, SystemWriter, unless } from './system.ts'

/** Shows in the status of every quota what it limits and what is used of it. Many changes at once make one write. */
export class ResourceQuotas implements LifecycleService {
  readonly #services: RegistryServices
  readonly #ledger: QuotaLedger
  readonly #type: ResourceType
  readonly #writer: SystemWriter
  readonly #queue: KeyedQueue<string>

  constructor(services: RegistryServices, ledger: QuotaLedger, onError: (what: string, error: unknown) => void) {
    this.#services = services
    this.#ledger = ledger
    this.#type = services.catalog.builtIn('', 'resourcequotas')
    this.#writer = new SystemWriter(services, 'kube-controller-manager')
    this.#queue = new KeyedQueue(
      (key) => this.#show(...(key.split('/') as [string, string])),
      (key, error) => onError(`resource quota ${key}`, error),
    )
    ledger.onChange((namespace, name) => this.#queue.add(`${namespace}/${name}`))
  }

  async stop(): Promise<void> {
    this.#ledger.close()
    await this.#queue.stop()
  }

  async #show(namespace: string, name: string): Promise<void> {
    const quota = this.#ledger.in(namespace)?.get(name)
    const stored = this.#services.catalog.store(this.#type).get(storageKey(this.#type, namespace, name))
    if (quota === undefined || stored === undefined) return
    const used = quota.used()
    const status = {
      ...(quota.hard.size > 0 && { hard: { ...recordAt(stored.object, 'spec', 'hard') } }),
      ...(used.size > 0 && { used: amountsOf(used) }),
    }
    if (isShown(stored.object, status)) return
    await this.#writer.update(this.#type, stored.object, 'status', (live) => ({ ...live, status })).catch(unless('NotFound'))
  }
}

const isShown = (object: KubeObject, { hard = {}, used = {} }: { readonly hard?: object; readonly used?: object }): boolean =>
  deepEqual(recordAt(object, 'status', 'hard'), hard) && deepEqual(recordAt(object, 'status', 'used'), used)
