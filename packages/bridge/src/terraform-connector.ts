import { createClient } from '@weft/client'
import type { ConnectContext, Connector, ExternalClient, ManagedResource } from '@weft/provider-sdk'
import { type BridgedKind, describeProvider, type ProviderPool } from '@weft/terraform'
import { BridgedClient } from './bridged-client.ts'
import { BridgedResource, type BridgedType } from './bridged-resource.ts'
import { DataSourceClient } from './data-source-client.ts'
import { externalError } from './failure.ts'
import { Operations } from './operations.ts'
import { providerConfiguration } from './provider-configuration.ts'
import { Repeats } from './repeats.ts'
import { secretStateStore } from './state-store.ts'

/** What all bridged kinds of a control plane share: changes under way, and processes. */
export class Bridge {
  readonly #pool: ProviderPool
  readonly #operations = new Operations()
  readonly #repeats = new Repeats()

  constructor(pool: ProviderPool) {
    this.#pool = pool
  }

  /** `graceMs`: for how long what was just made may be hidden from reads. */
  connector(kind: BridgedKind, { graceMs }: { readonly graceMs?: number } = {}): Connector {
    const { provider, type, shape, connectionKeys } = kind
    const { schema, configKind, configuration } = provider
    const { program, programHash } = provider.provider
    const of: BridgedType = {
      type: type.name,
      sort: type.sort,
      fields: shape.fields,
      connectionKeys,
      schema,
      provider: describeProvider(provider.provider),
    }
    return {
      connect: async (resource: ManagedResource, context: ConnectContext): Promise<ExternalClient> => {
        const configured = await providerConfiguration(resource, context, { kind: configKind, fields: configuration.fields, schema }).catch(
          (error: unknown) => {
            throw externalError(error, { secrets: [] })
          },
        )
        // What a change came to is written down even when the reconcile that began it has ended.
        const client = createClient({ transport: context.client.transport, fieldManager: 'weft-terraform' })
        const request = {
          executable: program,
          programHash,
          config: configured.bytes,
          env: configured.env,
          schemaOptional: schema.capabilities.schemaOptional,
          subject: `${type.name}/${resource.metadata.uid ?? ''}`,
        }
        const it = new BridgedResource(resource, of, { client, pool: this.#pool, request, secrets: configured.secrets })
        if (of.sort === 'data') return new DataSourceClient(it)
        return new BridgedClient(it, { store: secretStateStore(client), operations: this.#operations, repeats: this.#repeats, graceMs })
      },
    }
  }

  /** Waits for changes that are under way, as long as `drainMs`, and ends all processes. */
  async close({ drainMs = 0 }: { readonly drainMs?: number } = {}): Promise<void> {
    const timer = new Promise<void>((resolve) => setTimeout(resolve, drainMs).unref())
    await Promise.race([this.#operations.drain(), timer])
    await this.#pool.close()
  }
}
