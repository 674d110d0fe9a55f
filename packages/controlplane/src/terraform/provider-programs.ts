import type { ProviderPlan } from '@weft/api'
import type { BridgedConnector, PreviewQuestion } from '@weft/bridge'
import type { BridgedKind, BridgedProvider, ForeignState, ProviderSchema, StoredProvider, UpgradedState } from '@weft/terraform'
import type { ConnectContext, Connector } from '@weft/provider-sdk'

/** What runs the programs of providers. One for the whole control plane: processes are shared among kinds and packages. */
export interface ProviderPrograms {
  /** What a provider says of itself, in the form in which it is kept. Starts its program and ends it again. */
  askSchema(provider: StoredProvider, signal: AbortSignal): Promise<Uint8Array>
  readSchema(stored: Uint8Array): ProviderSchema
  /** Carries out what managed resources of a kind say. */
  connector(kind: BridgedKind): BridgedConnector
  /** Forgets what is kept of a resource, of whichever kind, whose external resource is to be left alone. */
  release: NonNullable<Connector['release']>
  /** What a provider would do about a resource. Changes and writes nothing. */
  preview(kind: BridgedKind, question: PreviewQuestion, context: ConnectContext): Promise<ProviderPlan>
  /** States of somebody else's by the schema that the provider has now. Starts its program and ends it again. */
  upgradeStates(provider: BridgedProvider, states: readonly ForeignState[], signal: AbortSignal): Promise<readonly UpgradedState[]>
  close(): Promise<void>
}
