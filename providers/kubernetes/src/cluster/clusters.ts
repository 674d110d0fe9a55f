import { createHash } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, type Clock, createClient, httpTransport, type Random, systemClock, type Transport } from '@weft/client'
import type { ConnectContext, Credentials } from '@weft/provider-sdk'
import { actingTransport } from './acting-transport.ts'
import { Cluster } from './cluster.ts'
import { guardedLookup } from './addresses.ts'
import { connectionOf, describeConfig, mustBeUsable, namedBy } from './connection-of.ts'
import { Patience } from './patience.ts'

/** Larger than any object, and than what a large cluster says of its kinds; smaller than what would hurt. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
/** Connections kept; those that were used longest ago are closed first. */
const MAX_CLUSTERS = 256
const SWEEP_MS = 60_000
/** Longer than what is watched goes without being looked at. */
const IDLE_MS = 30 * 60_000

/** The service account that InjectedIdentity means, in the namespace of its configuration. */
export const SERVICE_ACCOUNT = 'provider-kubernetes'

/** `key` is the same for whoever gets the same connection. */
export interface Connected {
  readonly cluster: Cluster
  readonly key: string
}

interface Open {
  readonly client: Client
  readonly transport: Transport
  readonly patience: Patience
  usedAt: number
}

/**
 * Connections to clusters, by what they were made from: whoever has the same credentials shares one, and new credentials open a new one. A
 * connection that nobody used for a while is closed.
 */
export class Clusters {
  readonly #open = new Map<string, Open>()
  readonly #clock: Clock
  readonly #random: Random
  #sweptAt = 0

  constructor({ clock = systemClock, random = Math.random }: { clock?: Clock; random?: Random } = {}) {
    this.#clock = clock
    this.#random = random
  }

  /** The cluster that the ProviderConfig of a resource means. */
  async connect(context: Pick<ConnectContext, 'client' | 'credentials'>): Promise<Connected> {
    const credentials = await context.credentials()
    mustBeUsable(credentials)
    const { key, transport } =
      credentials.source === 'InjectedIdentity' ? injected(credentials.config.metadata.namespace, context) : await remote(credentials)
    return { cluster: this.#clusterOf(describeConfig(credentials.config), key, transport), key }
  }

  /** This control plane, as what is in this namespace (in none: crossplane-system) may see it. */
  own(namespace: string | undefined, context: Pick<ConnectContext, 'client'>): Connected {
    const { key, transport } = injected(namespace, context)
    return { cluster: this.#clusterOf(`service account ${namespace ?? SYSTEM_NAMESPACE}/${SERVICE_ACCOUNT}`, key, transport), key }
  }

  /** This control plane, as the provider itself may see it. */
  itself({ client }: Pick<ConnectContext, 'client'>): Connected {
    return { cluster: new Cluster('this control plane', client, this.#newPatience()), key: 'itself' }
  }

  #clusterOf(name: string, key: string, transport: () => Transport): Cluster {
    let open = this.#open.get(key)
    if (open === undefined) {
      const opened = transport()
      open = { transport: opened, client: createClient({ transport: opened }), patience: this.#newPatience(), usedAt: 0 }
      this.#open.set(key, open)
    }
    open.usedAt = this.#clock.now()
    this.#sweep()
    return new Cluster(name, open.client, open.patience)
  }

  get size(): number {
    return this.#open.size
  }

  async close(): Promise<void> {
    const all = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(all.map(({ transport }) => transport.close()))
  }

  #newPatience(): Patience {
    return new Patience(this.#clock, this.#random)
  }

  #sweep(): void {
    const now = this.#clock.now()
    if (this.#open.size <= MAX_CLUSTERS && now - this.#sweptAt < SWEEP_MS) return
    this.#sweptAt = now
    const oldestFirst = [...this.#open].toSorted(([, a], [, b]) => a.usedAt - b.usedAt)
    let excess = this.#open.size - MAX_CLUSTERS
    for (const [key, { transport, patience, usedAt }] of oldestFirst) {
      if (excess <= 0 && now - usedAt < IDLE_MS) return
      if (!patience.idle) continue
      excess--
      this.#open.delete(key)
      void transport.close().catch(() => undefined)
    }
  }
}

interface Way {
  readonly key: string
  transport(): Transport
}

/**
 * This control plane itself, but never as Weft, which may do nearly everything: as a service account that may do what somebody granted it. A
 * configuration in a namespace means the account of that namespace, so that no tenant uses what another was granted.
 */
function injected(home: string | undefined, { client }: Pick<ConnectContext, 'client'>): Way {
  const namespace = home ?? SYSTEM_NAMESPACE
  const username = `system:serviceaccount:${namespace}:${SERVICE_ACCOUNT}`
  return { key: username, transport: () => actingTransport(client.transport, { username }) }
}

async function remote(credentials: Credentials): Promise<Way> {
  const { namespace: _default, ...connection } = await connectionOf(credentials)
  const by = namedBy(credentials.config)
  return {
    // Nobody comes by a connection that they may not make, because somebody else did.
    key: createHash('sha256')
      .update(JSON.stringify([by, connection]))
      .digest('hex'),
    // One try: who asks decides about the next, and how long it may take.
    transport: () =>
      httpTransport({
        ...connection,
        lookup: guardedLookup(by) as LookupFunction,
        userAgent: 'weft-provider-kubernetes',
        maxTries: 1,
        maxAnswerBytes: MAX_ANSWER_BYTES,
      }),
  }
}
