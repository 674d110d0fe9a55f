import { type Condition, deepEqual, formatTime, type KubeObject, setCondition } from '@weft/api'
import { type RegistryServices, type ResourceType, scanPrefix } from '../registry/index.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { type LifecycleService, SystemWriter, unless } from './system.ts'

interface NamespaceObject extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] }
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] }
}

/** What a namespace is given, and keeps. */
const FURNITURE = [
  { plural: 'serviceaccounts', name: 'default' },
  { plural: 'configmaps', name: 'kube-root-ca.crt' },
] as const

/**
 * Gives every namespace what clients look for in it (a `default` ServiceAccount, the ConfigMap with the CA), and
 * empties a namespace that is being deleted before it goes.
 */
export class Namespaces implements LifecycleService {
  readonly #services: RegistryServices
  readonly #type: ResourceType
  readonly #rootCa: string
  readonly #writer: SystemWriter
  readonly #queue: KeyedQueue<string>
  readonly #cancels: readonly (() => void)[]

  constructor(services: RegistryServices, rootCa: string, onError: (what: string, error: unknown) => void) {
    this.#services = services
    this.#rootCa = rootCa
    this.#type = services.catalog.builtIn('', 'namespaces')
    this.#writer = new SystemWriter(services, 'kube-controller-manager')
    this.#queue = new KeyedQueue(
      (name) => this.#reconcile(name),
      (name, error) => onError(`namespace ${name}`, error),
    )
    const store = services.catalog.store(this.#type)
    this.#cancels = [
      store.follow(store.revision, (changes) => {
        for (const { current, type } of changes) if (type !== 'deleted') this.#queue.add(current.object.metadata.name ?? '')
      }),
      ...FURNITURE.map(({ plural, name }) => this.#guard(plural, name)),
    ]
    for (const { object } of store.scan(this.#type.storage.prefix)) this.#queue.add(object.metadata.name ?? '')
  }

  async stop(): Promise<void> {
    for (const cancel of this.#cancels) cancel()
    await this.#queue.stop()
  }

  /** What every namespace has is put back when somebody changes or removes it. */
  #guard(plural: string, name: string): () => void {
    const store = this.#services.catalog.store(this.#services.catalog.builtIn('', plural))
    return store.follow(store.revision, (changes) => {
      for (const { current } of changes) if (current.object.metadata.name === name) this.#queue.add(current.object.metadata.namespace ?? '')
    })
  }

  async #reconcile(name: string): Promise<void> {
    const namespace = this.#services.catalog.store(this.#type).get(this.#type.storage.prefix + name)?.object as NamespaceObject | undefined
    if (namespace === undefined) return
    if (namespace.metadata.deletionTimestamp === undefined) await this.#furnish(name)
    else if ((namespace.spec?.finalizers ?? []).includes('kubernetes')) await this.#empty(namespace)
  }

  async #furnish(namespace: string): Promise<void> {
    await this.#ensure('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'default' } })
    await this.#ensure('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        namespace,
        name: 'kube-root-ca.crt',
        annotations: { 'kubernetes.io/description': 'The certificate authority of this API server.' },
      },
      data: { 'ca.crt': this.#rootCa },
    })
  }

  async #ensure(plural: string, object: KubeObject): Promise<void> {
    const type = this.#services.catalog.builtIn('', plural)
    const { namespace, name } = object.metadata
    const found = this.#services.catalog.store(type).get(`${type.storage.prefix}${namespace}/${name}`)?.object
    if (found !== undefined) {
      if ('data' in object && !deepEqual(found['data'], object['data']))
        await this.#writer.update(type, object, '', (live) => ({ ...live, data: object['data'] })).catch(unless('NotFound'))
      return
    }
    await this.#writer.create(type, object).catch(unless('AlreadyExists', 'Forbidden'))
  }

  async #empty(namespace: NamespaceObject): Promise<void> {
    const name = namespace.metadata.name ?? ''
    const remaining = new Map<string, number>()
    const finalizers = new Map<string, number>()
    for (const type of this.#namespacedTypes()) {
      const store = this.#services.catalog.store(type)
      for (const { object } of store.scan(scanPrefix(type, name))) {
        if (object.metadata.deletionTimestamp === undefined)
          await this.#writer.delete(type, object, { propagationPolicy: 'Background' }).catch(unless('NotFound'))
      }
      for (const { object } of store.scan(scanPrefix(type, name))) {
        const resource = type.group === '' ? `${type.plural}.` : `${type.plural}.${type.group}`
        remaining.set(resource, (remaining.get(resource) ?? 0) + 1)
        for (const finalizer of object.metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1)
      }
    }
    if (remaining.size > 0) {
      await this.#report(namespace, remaining, finalizers)
      this.#queue.addAfter(name, 200)
      return
    }
    await this.#report(namespace, remaining, finalizers)
    await this.#writer
      .update(this.#type, namespace, 'finalize', (live) => {
        const spec = (live as NamespaceObject).spec
        return { ...live, spec: { ...spec, finalizers: (spec?.finalizers ?? []).filter((f) => f !== 'kubernetes') } }
      })
      .catch(unless('NotFound'))
  }

  /** One type per place where objects are: several versions share one. */
  #namespacedTypes(): ResourceType[] {
    const byPrefix = new Map(
      this.#services.catalog
        .all()
        .filter((type) => type.namespaced && type.verbs.includes('delete'))
        .map((type) => [type.storage.prefix, type]),
    )
    return [...byPrefix.values()]
  }

  async #report(
    namespace: NamespaceObject,
    remaining: ReadonlyMap<string, number>,
    finalizers: ReadonlyMap<string, number>,
  ): Promise<void> {
    const now = formatTime(this.#services.now())
    const counted = [...remaining].map(([resource, n]) => `${resource} has ${n} resource instances`).join(', ')
    const finalized = [...finalizers].map(([finalizer, n]) => `${finalizer} in ${n} resource instances`).join(', ')
    const wanted: Condition[] = [
      {
        type: 'NamespaceDeletionDiscoveryFailure',
        status: 'False',
        reason: 'ResourcesDiscovered',
        message: 'All resources successfully discovered',
      },
      {
        type: 'NamespaceDeletionGroupVersionParsingFailure',
        status: 'False',
        reason: 'ParsedGroupVersions',
        message: 'All legacy kube types successfully parsed',
      },
      {
        type: 'NamespaceDeletionContentFailure',
        status: 'False',
        reason: 'ContentDeleted',
        message: 'All content successfully deleted, may be waiting on finalization',
      },
      remaining.size > 0
        ? {
            type: 'NamespaceContentRemaining',
            status: 'True',
            reason: 'SomeResourcesRemain',
            message: `Some resources are remaining: ${counted}`,
          }
        : { type: 'NamespaceContentRemaining', status: 'False', reason: 'ContentRemoved', message: 'All content successfully removed' },
      finalizers.size > 0
        ? {
            type: 'NamespaceFinalizersRemaining',
            status: 'True',
            reason: 'SomeFinalizersRemain',
            message: `Some content in the namespace has finalizers remaining: ${finalized}`,
          }
        : {
            type: 'NamespaceFinalizersRemaining',
            status: 'False',
            reason: 'ContentHasNoFinalizers',
            message: 'All content-preserving finalizers finished',
          },
    ]
    await this.#writer
      .update(this.#type, namespace, 'status', (live) => {
        const status = (live as NamespaceObject).status
        return {
          ...live,
          status: { ...status, conditions: wanted.reduce((all, c) => setCondition(all, c, now), status?.conditions ?? []) },
        }
      })
      .catch(unless('NotFound'))
  }
}
