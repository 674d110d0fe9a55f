import type { AccountSettings, Drift, Fault, FaultSpec, ResourceInventory } from '../wire/admin.ts'
import type { CloudResource } from '../wire/resource.ts'
import { Transport, type CallOptions, type TransportOptions } from './transport.ts'

type ResourceKey = Pick<CloudResource, 'cloud' | 'account' | 'kind' | 'name'>

/** The simulator's own controls: accounts, faults, and what really exists. `token` is the admin token. */
export class SimCloudAdmin {
  readonly #transport: Transport

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options)
  }

  /** Makes the account or replaces its tokens and quotas. */
  async putAccount(cloud: string, account: string, settings: AccountSettings, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call({ method: 'PUT', path: ['admin', 'accounts', cloud, account], body: settings, signal })
  }

  async addFault(spec: FaultSpec, { signal }: CallOptions = {}): Promise<Fault> {
    return (await this.#transport.call({ method: 'POST', path: ['admin', 'faults'], body: spec, signal })) as Fault
  }

  async faults({ signal }: CallOptions = {}): Promise<readonly Fault[]> {
    return ((await this.#transport.call({ method: 'GET', path: ['admin', 'faults'], signal })) as { items: Fault[] }).items
  }

  /** One, or all. Operations that were stalled for an unlimited time end then. */
  async removeFaults(id?: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call({ method: 'DELETE', path: ['admin', 'faults', ...(id === undefined ? [] : [id])], signal })
  }

  async resources(
    where: Partial<Pick<CloudResource, 'cloud' | 'account' | 'kind'>> = {},
    { signal }: CallOptions = {},
  ): Promise<ResourceInventory> {
    return (await this.#transport.call({ method: 'GET', path: ['admin', 'resources'], query: where, signal })) as ResourceInventory
  }

  /** Changes a resource behind everybody's back. */
  async drift(key: ResourceKey, drift: Drift, { signal }: CallOptions = {}): Promise<CloudResource> {
    return (await this.#transport.call({ method: 'PATCH', path: pathOf(key), body: drift, signal })) as CloudResource
  }

  /** Removes a resource behind everybody's back. */
  async vanish(key: ResourceKey, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call({ method: 'DELETE', path: pathOf(key), signal })
  }
}

const pathOf = ({ cloud, account, kind, name }: ResourceKey): string[] => ['admin', 'resources', cloud, account, kind, name]
