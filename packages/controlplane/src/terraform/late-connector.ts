import type { ConnectContext, Connector, ExternalClient, ManagedResource, ReleaseContext } from '@weft/provider-sdk'

/** A connector that is made when the first resource needs it: of thousands of kinds, few ever have one. */
export class LateConnector implements Connector {
  readonly #make: () => Connector
  #made: Connector | undefined

  constructor(make: () => Connector) {
    this.#make = make
  }

  connect(resource: ManagedResource, context: ConnectContext): Promise<ExternalClient> {
    this.#made ??= this.#make()
    return this.#made.connect(resource, context)
  }

  systemOf(resource: ManagedResource, context: Pick<ConnectContext, 'client' | 'signal' | 'credentials'>): Promise<string> {
    this.#made ??= this.#make()
    // Whoever cannot tell shares it with nobody.
    return this.#made.systemOf?.(resource, context) ?? Promise.resolve(resource.metadata.uid ?? '')
  }

  async release(resource: ManagedResource, context: ReleaseContext): Promise<void> {
    this.#made ??= this.#make()
    await this.#made.release?.(resource, context)
  }

  async close(): Promise<void> {
    await this.#made?.close?.()
  }
}
