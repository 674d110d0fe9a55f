import type { BridgedKind, ProviderSchema, StoredProvider } from '@weft/terraform'
import type { Connector } from '@weft/provider-sdk'

/** What runs the programs of providers. One for the whole control plane: processes are shared among kinds and packages. */
export interface ProviderPrograms {
  /** What a provider says of itself, in the form in which it is kept. Starts its program and ends it again. */
  askSchema(provider: StoredProvider, signal: AbortSignal): Promise<Uint8Array>
  readSchema(stored: Uint8Array): ProviderSchema
  /** Carries out what managed resources of a kind say. */
  connector(kind: BridgedKind): Connector
  close(): Promise<void>
}
