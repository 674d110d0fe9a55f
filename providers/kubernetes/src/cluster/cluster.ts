import { type GroupVersionKind, gvkOf, type KubeList, type KubeObject } from '@weft/api'
import {
  type Client,
  eitherSignal,
  type Mapping,
  type ObjectRef,
  type ResourcePath,
  type TransportAnswer,
  type WatchEvent,
} from '@weft/client'
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

/** Who an object is, without what it is like. */
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
const PAGE = 500

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

  /** A merge patch of an object that exists. */
  merge(kind: GroupVersionKind, ref: ObjectRef, body: object, call: Call = {}): Promise<KubeObject> {
    return this.#run({ verb: 'patch', kind, ...ref }, call, (signal) => this.#client.patch(kind, ref, { type: 'merge', body }, { signal }))
  }

  /** Who is there, at most `most` of them: `complete` tells whether that is all. */
  async names(
    kind: GroupVersionKind,
    { namespace, labels, most, ...call }: Call & { namespace?: string | undefined; labels: string; most: number },
  ): Promise<{ readonly items: readonly ObjectRef[]; readonly complete: boolean }> {
    const items: ObjectRef[] = []
    let more: string | undefined
    do {
      const page = await this.#page(
        kind,
        namespace,
        { labelSelector: labels, limit: PAGE, ...(more !== undefined && { continue: more }) },
        call,
      )
      for (const { metadata } of page.items ?? []) items.push({ name: metadata.name ?? '', namespace: metadata.namespace })
      more = page.metadata?.continue === '' ? undefined : page.metadata?.continue
    } while (more !== undefined && items.length <= most)
    return { items: items.slice(0, most), complete: more === undefined && items.length <= most }
  }

  /** What changes from now on among the objects of a kind, of each only who it is. */
  async *follow(
    kind: GroupVersionKind,
    namespace: string | undefined,
    signal: AbortSignal,
    opened: () => void,
  ): AsyncGenerator<readonly WatchEvent[]> {
    const { metadata } = await this.#page(kind, namespace, { limit: 1 }, { signal })
    const resource = await this.#collection(kind, namespace, signal)
    opened()
    const options = { resourceVersion: metadata?.resourceVersion, allowWatchBookmarks: true }
    yield* this.#client.transport.watch({ resource, options, accept: METADATA, signal })
  }

  #page(kind: GroupVersionKind, namespace: string | undefined, options: PageOptions, call: Call): Promise<KubeList> {
    return this.#run({ verb: 'list', kind, namespace }, call, async (signal) => {
      const resource = await this.#collection(kind, namespace, signal)
      const { body } = await this.#client.transport.request({ verb: 'list', resource, options, accept: METADATA_LIST, signal })
      return body as KubeList
    })
  }

  async #collection(kind: GroupVersionKind, namespace: string | undefined, signal: AbortSignal): Promise<ResourcePath> {
    const { group, version, plural, namespaced } = await this.#client.mapping(kind, signal)
    return { group, version, plural, namespace: namespaced ? namespace : undefined }
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

interface PageOptions {
  readonly labelSelector?: string
  readonly limit: number
  readonly continue?: string
}

const isSilence = (error: unknown): error is SilentCluster => error instanceof SilentCluster
