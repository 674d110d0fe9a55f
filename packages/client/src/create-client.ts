import {
  formatLabelSelector,
  gvkOf,
  hasReason,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  requirementsOf,
  withMeta,
} from '@weft/api'
import { eitherSignal } from './abortable.ts'
import type {
  Client,
  DeleteCallOptions,
  ListCallOptions,
  PatchCallOptions,
  ReadOptions,
  Scope,
  SubresourceOption,
  WatchCallOptions,
  WriteCallOptions,
} from './client.ts'
import { createRestMapper, type Mapping, type RestMapper } from './discovery/rest-mapper.ts'
import type { Kind, ObjectRef } from './kind.ts'
import { isUnknownResource, NoMatchError } from './transport/errors.ts'
import type { CallOptions, Impersonation, Patch, ResourcePath, Transport, TransportRequest, WatchEvent } from './transport/transport.ts'

export interface ClientOptions {
  readonly transport: Transport
  /** One mapper may serve many clients. */
  readonly mapper?: RestMapper | undefined
  /** Owner of the fields this client writes, unless a call says otherwise. */
  readonly fieldManager?: string | undefined
  readonly defaultNamespace?: string | undefined
  readonly impersonate?: Impersonation | undefined
  readonly signal?: AbortSignal | undefined
  /** Told of the server's warnings (deprecated kinds, unknown fields). */
  readonly onWarning?: ((text: string) => void) | undefined
}

/** Objects per request of a full list: large enough to be quick, small enough not to stall the server. */
const PAGE = 500

export function createClient(options: ClientOptions): Client {
  return new TransportClient({ ...options, mapper: options.mapper ?? createRestMapper(options) })
}

class TransportClient implements Client {
  readonly transport: Transport
  readonly #options: ClientOptions & { readonly mapper: RestMapper }

  constructor(options: ClientOptions & { readonly mapper: RestMapper }) {
    this.#options = options
    this.transport = options.transport
  }

  async get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, { resourceVersion, subresource, ...call }: ReadOptions = {}): Promise<T> {
    const mapping = await this.mapping(kind, call.signal)
    return this.#object<T>(mapping, { verb: 'get', resource: this.#path(mapping, ref, subresource), options: { resourceVersion }, ...call })
  }

  async find<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: ReadOptions): Promise<T | undefined> {
    try {
      return await this.get(kind, ref, options)
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined
      throw error
    }
  }

  async list<T extends KubeObject>(kind: Kind<T>, options: ListCallOptions = {}): Promise<KubeList<T>> {
    const { namespace, labels, fieldSelector, signal, impersonate, ...rest } = options
    const mapping = await this.mapping(kind, signal)
    const resource = collection(mapping, namespace)
    const page = (more: {
      limit?: number
      continue?: string
      resourceVersion?: string | undefined
      resourceVersionMatch?: undefined
    }): Promise<KubeList<T>> =>
      this.#call(mapping, {
        verb: 'list',
        resource,
        options: { ...rest, ...more, labelSelector: labelSelectorOf(labels), fieldSelector },
        signal,
        impersonate,
      }).then((list) => withKind(list as KubeList<T>, mapping))
    if (rest.limit !== undefined || rest.continue !== undefined) return page({})
    return allPages(page, rest.resourceVersion === undefined && this.transport.local !== true)
  }

  async *watch<T extends KubeObject>(kind: Kind<T>, options: WatchCallOptions = {}): AsyncGenerator<readonly WatchEvent<T>[]> {
    const { namespace, labels, fieldSelector, signal, impersonate, ...rest } = options
    const mapping = await this.mapping(kind, signal)
    const request = {
      resource: collection(mapping, namespace),
      options: { ...rest, labelSelector: labelSelectorOf(labels), fieldSelector },
      ...this.#withDefaults({ signal, impersonate }),
    }
    try {
      yield* this.transport.watch(request) as AsyncIterable<readonly WatchEvent<T>[]>
    } catch (error) {
      throw this.#translate(mapping, error)
    }
  }

  create<T extends KubeObject>(object: T, options: WriteCallOptions = {}): Promise<T> {
    return this.#write('create', object, options)
  }

  update<T extends KubeObject>(object: T, options: WriteCallOptions = {}): Promise<T> {
    return this.#write('update', object, options)
  }

  updateStatus<T extends KubeObject>(object: T, options: WriteCallOptions = {}): Promise<T> {
    return this.#write('update', object, { ...options, subresource: 'status' })
  }

  async patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: Patch, options: PatchCallOptions = {}): Promise<T> {
    const { subresource, signal, impersonate, ...rest } = options
    const mapping = await this.mapping(kind, signal)
    return this.#object<T>(mapping, {
      verb: 'patch',
      resource: this.#path(mapping, ref, subresource),
      patch,
      options: { ...rest, fieldManager: rest.fieldManager ?? this.#options.fieldManager },
      signal,
      impersonate,
    })
  }

  apply<T extends KubeObject>(object: T, options: PatchCallOptions = {}): Promise<T> {
    const { name = '', namespace } = object.metadata
    // What the server keeps about ownership cannot be applied; objects that were read carry it.
    const body = object.metadata.managedFields === undefined ? object : withMeta(object, { managedFields: undefined })
    return this.patch(
      gvkOf(object),
      { name, namespace },
      { type: 'apply', body },
      { fieldManager: this.#options.fieldManager ?? 'weft', ...options },
    )
  }

  async delete(kind: Kind, ref: ObjectRef, { signal, impersonate, ...options }: DeleteCallOptions = {}): Promise<boolean> {
    const mapping = await this.mapping(kind, signal)
    try {
      await this.#call(mapping, { verb: 'delete', resource: this.#path(mapping, ref), options, signal, impersonate })
      return true
    } catch (error) {
      if (hasReason(error, 'NotFound')) return false
      throw error
    }
  }

  async deleteAll(kind: Kind, options: DeleteCallOptions & Scope = {}): Promise<void> {
    const { namespace, labels, fieldSelector, signal, impersonate, ...rest } = options
    const mapping = await this.mapping(kind, signal)
    const selectors = { labelSelector: labelSelectorOf(labels), fieldSelector }
    await this.#call(mapping, {
      verb: 'deletecollection',
      resource: collection(mapping, namespace),
      options: { ...rest, ...selectors },
      signal,
      impersonate,
    })
  }

  mapping(kind: Kind, signal?: AbortSignal): Promise<Mapping> {
    return this.#options.mapper.mapping(kind, eitherSignal(signal, this.#options.signal))
  }

  impersonate(user: Impersonation): Client {
    return new TransportClient({ ...this.#options, impersonate: user })
  }

  withSignal(signal: AbortSignal): Client {
    return new TransportClient({ ...this.#options, signal: eitherSignal(this.#options.signal, signal) })
  }

  async #write<T extends KubeObject>(verb: 'create' | 'update', object: T, options: WriteCallOptions & SubresourceOption): Promise<T> {
    const { subresource, signal, impersonate, ...rest } = options
    const mapping = await this.mapping(gvkOf(object), signal)
    const { name = '', namespace } = object.metadata
    const isCollection = verb === 'create' && subresource === undefined
    const resource = this.#path(mapping, { name: isCollection ? '' : name, namespace }, subresource)
    return this.#object<T>(mapping, {
      verb,
      resource,
      object,
      options: { ...rest, fieldManager: rest.fieldManager ?? this.#options.fieldManager },
      signal,
      impersonate,
    })
  }

  #object<T extends KubeObject>(mapping: Mapping, request: TransportRequest): Promise<T> {
    return this.#call(mapping, request) as Promise<T>
  }

  async #call(mapping: Mapping, request: TransportRequest): Promise<unknown> {
    try {
      const { body, warnings } = await this.transport.request({ ...request, ...this.#withDefaults(request) })
      for (const text of warnings) this.#options.onWarning?.(text)
      return body
    } catch (error) {
      throw this.#translate(mapping, error)
    }
  }

  #withDefaults({ signal, impersonate }: CallOptions): CallOptions {
    return { signal: eitherSignal(signal, this.#options.signal), impersonate: impersonate ?? this.#options.impersonate }
  }

  /** A kind that is no longer served must not look like an object that does not exist: controllers act on the latter. */
  #translate(mapping: Mapping, error: unknown): unknown {
    if (!isUnknownResource(error)) return error
    this.#options.mapper.invalidate()
    return new NoMatchError(mapping, { cause: error })
  }

  #path({ group, version, plural, namespaced }: Mapping, { name, namespace }: ObjectRef, subresource?: string): ResourcePath {
    return {
      group,
      version,
      plural,
      namespace: namespaced ? namespace || this.#options.defaultNamespace || 'default' : undefined,
      name,
      subresource,
    }
  }
}

const collection = ({ group, version, plural, namespaced }: Mapping, namespace: string | undefined): ResourcePath => ({
  group,
  version,
  plural,
  namespace: namespaced ? namespace : undefined,
})

function labelSelectorOf(labels: LabelSelector | string | undefined): string | undefined {
  return labels === undefined || typeof labels === 'string' ? labels : formatLabelSelector(requirementsOf(labels))
}

type Page<T> = (more: {
  limit?: number
  continue?: string
  resourceVersion?: string | undefined
  resourceVersionMatch?: undefined
}) => Promise<KubeList<T>>

/**
 * All pages as one list, consistent at the first page's revision. When that revision is compacted on the way, the list
 * starts over in one piece: half a list is worse than a large answer.
 */
/** The items of a list of Kubernetes' own kinds do not say what they are; everything else that a client answers does. */
function withKind<T extends KubeObject>(list: KubeList<T>, { group, version, kind }: Mapping): KubeList<T> {
  // Null: how Go writes a list of nothing.
  const items = list.items ?? []
  if (items.every((item) => item.kind !== undefined)) return items === list.items ? list : { ...list, items }
  const apiVersion = group === '' ? version : `${group}/${version}`
  return { ...list, items: items.map((item) => (item.kind === undefined ? { ...item, apiVersion, kind } : item)) }
}

async function allPages<T>(page: Page<T>, paged: boolean): Promise<KubeList<T>> {
  let list = await page(paged ? { limit: PAGE } : {})
  if (!list.metadata.continue) return list
  const items = [...list.items]
  while (list.metadata.continue) {
    try {
      list = await page({ limit: PAGE, continue: list.metadata.continue, resourceVersion: undefined, resourceVersionMatch: undefined })
    } catch (error) {
      if (hasReason(error, 'Expired') || hasReason(error, 'Gone')) return page({})
      throw error
    }
    items.push(...list.items)
  }
  return {
    ...list,
    metadata: { ...(list.metadata.resourceVersion !== undefined && { resourceVersion: list.metadata.resourceVersion }) },
    items,
  }
}
