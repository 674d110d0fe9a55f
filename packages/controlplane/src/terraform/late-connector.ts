import type { BridgedConnector } from '@weft/bridge'
import type { ConnectContext, ExternalClient, ManagedResource, ReleaseContext } from '@weft/provider-sdk'

/** A connector that is made when the first resource needs it: of thousands of kinds, few ever have one. */
export class LateConnector implements BridgedConnector {
  readonly #make: () => BridgedConnector
  #made: BridgedConnector | undefined

  constructor(make: () => BridgedConnector) {
    this.#make = make
  }

  connect(resource: ManagedResource, context: ConnectContext): Promise<ExternalClient> {
    this.#made ??= this.#make()
    return this.#made.connect(resource, context)
  }

  systemOf(resource: ManagedResource, context: Pick<ConnectContext, 'client' | 'signal' | 'credentials'>): Promise<string> {
    this.#made ??= this.#make()
    return this.#made.systemOf(resource, context)
  }

  async release(resource: ManagedResource, context: ReleaseContext): Promise<void> {
    this.#made ??= this.#make()
    await this.#made.release(resource, context)
  }

  async close(): Promise<void> {
    await this.#made?.close?.()
  }
}
