import type { CallContext, ExternalClient, ManagedResource, Observation } from '@weft/provider-sdk'
import { toAtProvider, toConnection } from '@weft/terraform'
import type { BridgedResource } from './bridged-resource.ts'

/** Reads what a data source says, each time it is looked at. There is nothing to make, to change or to delete. */
export class DataSourceClient implements ExternalClient {
  readonly #it: BridgedResource

  constructor(it: BridgedResource) {
    this.#it = it
  }

  async observe(_resource: ManagedResource, { signal }: CallContext): Promise<Observation> {
    if (this.#it.isBeingDeleted) return { exists: false }
    const { fields, connectionKeys } = this.#it.of
    const config = await this.#it.config(null, signal)
    const state = await this.#it.readData(config, signal)
    return {
      exists: true,
      upToDate: true,
      readiness: 'available',
      atProvider: toAtProvider(fields, state),
      connection: toConnection(fields, connectionKeys, state),
    }
  }

  create = (): Promise<never> => Promise.reject(new Error('a data source is only read, and never created'))
  update = (): Promise<object> => Promise.resolve({})
  delete = (): Promise<void> => Promise.resolve()
}
