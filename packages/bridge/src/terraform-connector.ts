import type { GroupKind } from '@weft/api'
import { createClient } from '@weft/client'
import type { ConnectContext, Connector, ExternalClient, ManagedResource } from '@weft/provider-sdk'
import type { Field, ProviderPool } from '@weft/terraform'
import { BridgedClient } from './bridged-client.ts'
import { BridgedResource, type BridgedType } from './bridged-resource.ts'
import { DataSourceClient } from './data-source-client.ts'
import { externalError } from './failure.ts'
import { Operations } from './operations.ts'
import { providerConfiguration } from './provider-configuration.ts'
import { Repeats } from './repeats.ts'
import { secretStateStore } from './state-store.ts'

/** A kind to be bridged. */
export interface ConnectorOptions extends BridgedType {
  /** Absolute path of the provider's program, and its SHA-256. */
  readonly program: string
  readonly programHash: string
  readonly configKind: GroupKind
  /** The fields of the provider's own configuration. */
  readonly configuration: readonly Field[]
  readonly graceMs?: number | undefined
}

/** What all bridged kinds of a control plane share: changes under way, and processes. */
export class Bridge {
  readonly #pool: ProviderPool
  readonly #operations = new Operations()
  readonly #repeats = new Repeats()

  constructor(pool: ProviderPool) {
    this.#pool = pool
  }

  connector(options: ConnectorOptions): Connector {
    const { configKind, configuration, program, programHash, schema, type, graceMs } = options
    return {
      connect: async (resource: ManagedResource, context: ConnectContext): Promise<ExternalClient> => {
        const configured = await providerConfiguration(resource, context, { kind: configKind, fields: configuration, schema }).catch(
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
          subject: `${type}/${resource.metadata.uid ?? ''}`,
        }
        const it = new BridgedResource(resource, options, { client, pool: this.#pool, request, secrets: configured.secrets })
        if (options.sort === 'data') return new DataSourceClient(it)
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
