import type { ProviderPlan } from '@weft/api'
import { type Client, createClient } from '@weft/client'
import type { ConnectContext, Connector, ExternalClient, ManagedResource } from '@weft/provider-sdk'
import { type BridgedKind, configurationKey, describeProvider, type ProviderPool } from '@weft/terraform'
import { BridgedClient } from './bridged-client.ts'
import { BridgedResource, type BridgedType } from './bridged-resource.ts'
import { DataSourceClient } from './data-source-client.ts'
import { externalError } from './failure.ts'
import { type Journal, memoryJournal } from './journal.ts'
import { journaledStore, type Point } from './journaled-store.ts'
import { Operations } from './operations.ts'
import { preview } from './preview.ts'
import { type ConfigurationContext, providerConfiguration, type ResolvedConfiguration } from './provider-configuration.ts'
import { Repeats } from './repeats.ts'
import type { ResourceRecord } from './resource-record.ts'
import { secretStateStore } from './state-store.ts'

export interface BridgeOptions {
  /** Where outcomes of changes are kept until the API server has them; in memory unless given. */
  readonly journal?: Journal | undefined
  /** Is the API server in this process? */
  readonly near?: boolean | undefined
  /** Called between the steps of a change, which goes on when it resolves. For tests that end the process there. */
  readonly reached?: ((point: Point, resource: ManagedResource) => Promise<void>) | undefined
}

/** A resource that somebody thinks of. */
export interface PreviewQuestion {
  readonly wanted: ManagedResource
  readonly existing: ManagedResource | undefined
  /** Does a text stand for what nobody knows yet? */
  unknown(text: string): boolean
}

export type BridgedConnector = Connector & Required<Pick<Connector, 'release' | 'systemOf'>>

/** What all bridged kinds of a control plane share: changes under way, and processes. */
export class Bridge {
  readonly #pool: ProviderPool
  readonly #operations = new Operations()
  readonly #repeats = new Repeats()

  readonly #journal: Journal
  readonly #near: boolean
  readonly #reached: BridgeOptions['reached']
  /** Resources whose records the API server does not take, and why. */
  readonly #refused = new Map<string, string>()

  constructor(pool: ProviderPool, { journal = memoryJournal(), near = false, reached }: BridgeOptions = {}) {
    this.#pool = pool
    this.#journal = journal
    this.#near = near
    this.#reached = reached
  }

  /** `graceMs`: for how long what was just made may be hidden from reads. */
  connector(kind: BridgedKind, { graceMs }: { readonly graceMs?: number } = {}): BridgedConnector {
    return {
      release: (resource, { client }) => this.release(resource, client),
      // Different configurations may lead to one account all the same, which only the provider could tell.
      systemOf: async (resource, context) => configurationKey(await configurationOf(kind, resource, context)),
      connect: async (resource: ManagedResource, context: ConnectContext): Promise<ExternalClient> => {
        // What a change came to is written down even when the reconcile that began it has ended.
        const client = createClient({ transport: context.client.transport, fieldManager: 'weft-terraform' })
        const it = await this.#open(kind, resource, { context, client })
        if (it.of.sort === 'data') return new DataSourceClient(it)
        const notify = this.#reached
        const reached = notify && ((point: Point) => notify(point, resource))
        const store = journaledStore(secretStateStore(client), { journal: this.#journal, near: this.#near, reached }, this.#refused)
        return new BridgedClient(it, { store, operations: this.#operations, repeats: this.#repeats, reached, graceMs })
      },
    }
  }

  /**
   * What the provider would do about a resource as it would be. Nothing is written here and nothing is changed there; what exists is read. `existing` is
   * the resource as it is, undefined where it is new: only that decides which state is looked at.
   */
  async preview(kind: BridgedKind, { wanted, existing, unknown }: PreviewQuestion, context: ConnectContext): Promise<ProviderPlan> {
    const uid = existing?.metadata.uid
    if (uid !== undefined && this.#operations.get(uid) !== undefined)
      return { action: 'unknown', why: 'the provider is working on it right now: try again when that has finished' }
    const resource: ManagedResource = { ...wanted, metadata: { ...wanted.metadata, uid: uid ?? 'new' } }
    const it = await this.#open(kind, resource, { context, client: context.client })
    const record = existing === undefined ? undefined : await this.#recordOf(existing, context.client)
    return preview(it, { record, unknown, signal: context.signal })
  }

  /** As a reconcile would find it, without bringing anything up to date. */
  async #recordOf(resource: ManagedResource, client: Client): Promise<ResourceRecord | undefined> {
    const stored = await secretStateStore(client).load(resource)
    const entry = await this.#journal.read(resource.metadata.uid ?? '')
    return entry === undefined || (stored !== undefined && stored.operation?.id !== entry.operation) ? stored : entry.record
  }

  async #open(
    kind: BridgedKind,
    resource: ManagedResource,
    { context, client }: { readonly context: ConnectContext; readonly client: Client },
  ): Promise<BridgedResource> {
    const { provider, type, shape, connectionKeys, importFormat } = kind
    const { schema } = provider
    const { program, programHash } = provider.provider
    const of: BridgedType = {
      type: type.name,
      sort: type.sort,
      fields: shape.fields,
      connectionKeys,
      importFormat,
      schema,
      provider: describeProvider(provider.provider),
    }
    const configured = await configurationOf(kind, resource, context).catch((error: unknown) => {
      throw externalError(error, { secrets: [] })
    })
    const request = {
      executable: program,
      programHash,
      config: configured.config,
      env: configured.env,
      schemaOptional: schema.capabilities.schemaOptional,
      subject: `${type.name}/${resource.metadata.uid ?? ''}`,
      limits: configured.limits,
    }
    return new BridgedResource(resource, of, { client, pool: this.#pool, request, ...configured })
  }

  /** Forgets a resource whose external resource is gone, or is to be left alone. */
  async release(resource: ManagedResource, client: Client): Promise<void> {
    const { uid = '' } = resource.metadata
    // Its outcome would bring the record back.
    await this.#operations.get(uid)?.done.catch(() => undefined)
    await journaledStore(secretStateStore(client), { journal: this.#journal }, this.#refused).remove(resource)
    this.#repeats.settled(uid)
  }

  /** Waits for changes that are under way, as long as `drainMs`, and ends all processes. */
  async close({ drainMs = 0 }: { readonly drainMs?: number } = {}): Promise<void> {
    const timer = new Promise<void>((resolve) => setTimeout(resolve, drainMs).unref())
    await Promise.race([this.#operations.drain(), timer])
    await this.#pool.close()
  }
}

function configurationOf(
  { provider: { schema, configKind, configuration, provider } }: BridgedKind,
  resource: ManagedResource,
  context: ConfigurationContext,
): Promise<ResolvedConfiguration> {
  return providerConfiguration(resource, context, {
    kind: configKind,
    fields: configuration.fields,
    schema,
    provider: describeProvider(provider),
  })
}
