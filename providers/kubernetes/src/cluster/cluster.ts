import { type GroupVersionKind, gvkOf, type KubeObject } from '@weft/api'
import { type Client, eitherSignal, type Mapping, type ObjectRef, type TransportAnswer } from '@weft/client'
import { type Asked, clusterErrorOf, SilentCluster } from './cluster-error.ts'
import { ANSWER_MS, Patience } from './patience.ts'

/** Who asks, and until when. */
export interface Call {
  readonly signal?: AbortSignal | undefined
  readonly sensitive?: boolean | undefined
}

export interface ApplyCall extends Call {
  readonly fieldManager: string
  readonly force: boolean
  readonly dryRun?: boolean
}

export type Propagation = 'Orphan' | 'Background' | 'Foreground'

/**
 * A cluster as objects are managed on it: a few calls, each with a deadline, each of whose failures says what to do (ExternalError). What is not
 * there is undefined, never an error.
 */
export class Cluster {
  /** `ProviderConfig production`, for messages. */
  readonly name: string
  readonly #client: Client
  readonly #patience: Patience

  constructor(name: string, client: Client, patience: Patience) {
    this.name = name
    this.#client = client
    this.#patience = patience
  }

  mapping(kind: GroupVersionKind, call: Call = {}): Promise<Mapping> {
    return this.#run({ verb: 'get', kind }, call, (signal) => this.#client.mapping(kind, signal))
  }

  async get(kind: GroupVersionKind, ref: ObjectRef, call: Call = {}): Promise<KubeObject | undefined> {
    const found = await this.#run({ verb: 'get', kind, ...ref }, call, (signal) => this.#client.find(kind, ref, { signal }))
    if (found === undefined) return undefined
    if (found.metadata?.name !== ref.name || found.kind !== kind.kind)
      throw new SilentCluster('Unavailable', `the cluster of ${this.name} answers with another object than it was asked for`)
    return found
  }

  /** Server-side apply; `created` tells whether it made the object. */
  async apply(object: KubeObject, { fieldManager, force, dryRun, ...call }: ApplyCall): Promise<{ created: boolean; object: KubeObject }> {
    const kind = gvkOf(object)
    const { name = '', namespace } = object.metadata
    const answer = await this.#run({ verb: 'patch', kind, name, namespace }, call, async (signal): Promise<TransportAnswer> => {
      const { group, version, plural, namespaced } = await this.#client.mapping(kind, signal)
      // Not Client.apply: it does not tell a create from an update.
      return this.#client.transport.request({
        verb: 'patch',
        resource: { group, version, plural, name, namespace: namespaced ? namespace : undefined },
        patch: { type: 'apply', body: object },
        options: { fieldManager, force, dryRun },
        signal,
      })
    })
    return { created: answer.status === 201, object: answer.body as KubeObject }
  }

  async delete(
    kind: GroupVersionKind,
    ref: ObjectRef,
    options: Call & { uid?: string | undefined; propagation: Propagation },
  ): Promise<void> {
    const { uid, propagation, ...call } = options
    await this.#run({ verb: 'delete', kind, ...ref }, call, (signal) =>
      this.#client.delete(kind, ref, { propagationPolicy: propagation, ...(uid !== undefined && { preconditions: { uid } }), signal }),
    )
  }

  #run<T>(asked: Omit<Asked, 'cluster' | 'sensitive'>, { signal, sensitive }: Call, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#patience.run(async () => {
      const deadline = AbortSignal.timeout(ANSWER_MS)
      try {
        return await call(eitherSignal(signal, deadline) ?? deadline)
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason
        throw clusterErrorOf(error, { ...asked, cluster: this.name, sensitive })
      }
    }, isSilence)
  }
}

const isSilence = (error: unknown): error is SilentCluster => error instanceof SilentCluster
