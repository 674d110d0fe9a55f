import {
  formatGroupKind,
  formatLabelSelector,
  type GroupKind,
  hasReason,
  inTurn,
  type KubeList,
  type KubeObject,
  requirementsOf,
  withMeta,
} from '@weft/api'
import type { Client, ServedKind } from '@weft/client'
import type { TraceRef } from '@weft/composition'
import { builtIn, isOffer, isSecret, kindOf, NAMESPACE, RBAC } from './kinds.ts'
import type { StoredKind, Wanted, World } from './world.ts'

export interface WorldReaderOptions {
  readonly client: Client
  readonly served: readonly ServedKind[]
  /** Kinds that a CustomResourceDefinition defines. */
  readonly custom: readonly StoredKind[]
  /** Those that the change is about. */
  readonly namespaces: readonly string[]
  readonly signal: AbortSignal | undefined
}

interface Read {
  readonly kind: StoredKind
  /** By namespace and name. */
  readonly objects: Map<string, KubeObject>
  /** All that there are, as far as they may be listed; otherwise those that were asked for. */
  whole: boolean
}

/** An object as it was looked for: there, not there, or not to be seen. */
export type Found = KubeObject | 'hidden' | undefined

const CONCURRENCY = 8
const METADATA = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
const PAGE = 5_000

/** Collects a world from a server, with the rights of whoever asks: kinds as a whole, and objects one by one. Reads nothing twice, and no Secret. */
export class WorldReader {
  readonly #client: Client
  readonly #namespaces: readonly string[]
  readonly #signal: AbortSignal | undefined
  readonly #served: readonly ServedKind[]
  readonly #custom: ReadonlyMap<string, StoredKind>
  readonly #read = new Map<string, Read>()
  /** Kinds of which not everything could be listed. */
  readonly #denied = new Map<string, StoredKind>()
  /** What was looked for by name in vain, by kind and place. */
  readonly #lookedFor = new Map<string, 'hidden' | undefined>()
  readonly #selected = new Map<string, Promise<readonly KubeObject[] | undefined>>()
  readonly #hidden = new Set<string>()
  /** What somebody asked to see, and the world goes on without. */
  readonly #shown = new Set<string>()

  constructor({ client, served, custom, namespaces, signal }: WorldReaderOptions) {
    this.#client = client
    this.#served = served
    this.#custom = new Map(custom.map((kind) => [formatGroupKind(kind), kind]))
    this.#namespaces = namespaces
    this.#signal = signal
  }

  /** How and where the objects of a kind are kept; undefined where nobody serves it, and of Secrets. */
  stored(kind: GroupKind): StoredKind | undefined {
    if (isSecret(kind)) return undefined
    return this.#read.get(formatGroupKind(kind))?.kind ?? this.#custom.get(formatGroupKind(kind)) ?? builtIn(this.#served, kind)[0]
  }

  /** The kind that is found below this path. */
  resource(group: string, plural: string): StoredKind | undefined {
    const isIt = (each: StoredKind): boolean => each.group === group && each.plural === plural
    const found = [...this.#custom.values()].find(isIt) ?? this.#served.find(isIt)
    return found && this.stored(found)
  }

  get custom(): readonly StoredKind[] {
    return [...this.#custom.values()]
  }

  /** All objects of these kinds, or those of the namespaces of the change where no more may be listed. */
  async read(kinds: readonly StoredKind[]): Promise<void> {
    const wanted = [...new Map(kinds.map((kind) => [formatGroupKind(kind), kind])).values()].filter(
      (kind) => !this.isWhole(kind) && !isSecret(kind),
    )
    await inTurn(wanted, CONCURRENCY, (kind) => this.#list(kind))
  }

  /** All objects of a kind, which somebody has read already. */
  take(kind: StoredKind, objects: readonly KubeObject[]): void {
    this.#read.set(formatGroupKind(kind), { kind, objects: new Map(), whole: true })
    for (const object of objects) this.#add(kind, named(kind, object))
  }

  isWhole(kind: GroupKind): boolean {
    return this.#read.get(formatGroupKind(kind))?.whole === true
  }

  /** Whether listing the kind was refused. */
  isDenied(kind: GroupKind): boolean {
    return this.#denied.has(formatGroupKind(kind))
  }

  get anyDenied(): boolean {
    return this.#denied.size > 0
  }

  /** One object, which belongs to the world from now on. */
  async fetch(ref: TraceRef): Promise<Found> {
    const kind = this.stored(kindOf(ref))
    if (kind === undefined) return undefined
    const at = { name: ref.name, namespace: kind.namespaced ? ref.namespace : undefined }
    const known = this.#read.get(formatGroupKind(kind))?.objects.get(placeOf(at))
    if (known !== undefined || (this.isWhole(kind) && !this.isDenied(kind))) return known
    const looked = keyOf(kind, at)
    if (this.#lookedFor.has(looked)) return this.#lookedFor.get(looked)
    try {
      const found = await this.#client.find(kind, at, { signal: this.#signal })
      if (found === undefined) this.#lookedFor.set(looked, undefined)
      else this.#add(kind, found)
      return found
    } catch (error) {
      if (!hasReason(error, 'Forbidden')) throw error
      this.#lookedFor.set(looked, 'hidden')
      return 'hidden'
    }
  }

  /** Objects of a kind with these labels, which belong to the world from now on, unless somebody was merely shown them. Those that may not be listed are left out. */
  async select(
    kind: StoredKind,
    { namespace, labelSelector }: { readonly namespace?: string | undefined; readonly labelSelector: string },
  ): Promise<readonly KubeObject[]> {
    if (this.isWhole(kind)) return []
    const found = (await this.#selection(kind, namespace, labelSelector)) ?? []
    const wanted = found.filter(({ metadata }) => !this.wasShown(kind, metadata))
    for (const object of wanted) this.#add(kind, object)
    return wanted
  }

  /** All objects of a kind, page by page, none of which belongs to the world for that, and of each its metadata alone. Nothing where they may not be listed. */
  async *metadata(kind: StoredKind): AsyncGenerator<readonly KubeObject[]> {
    let next: string | undefined
    do {
      try {
        const { group, version, plural } = kind
        const options = { limit: PAGE, continue: next }
        const request = { verb: 'list', resource: { group, version, plural }, options, accept: METADATA, signal: this.#signal } as const
        const { items, metadata } = (await this.#client.transport.request(request)).body as KubeList
        next = metadata.continue
        yield (items ?? []).map((item) => named(kind, item))
      } catch (error) {
        if (hasReason(error, 'Forbidden') || hasReason(error, 'NotFound')) return
        throw error
      }
    } while (next !== undefined && next !== '')
  }

  /** Asks the server something that is no object. */
  async ask(path: string, question: object): Promise<unknown> {
    return (await this.#client.transport.request({ verb: 'post', path, object: question, signal: this.#signal })).body
  }

  /** Somebody was shown it as it is, which is all that it takes. */
  wasShown(kind: StoredKind, ref: Place): boolean {
    return this.#shown.has(keyOf(kind, ref))
  }

  /** How many objects there are. */
  get size(): number {
    let size = 0
    for (const { objects } of this.#read.values()) size += objects.size
    return size
  }

  has(object: KubeObject): boolean {
    return this.#read.get(formatGroupKind(kindOf(object)))?.objects.has(placeOf(object.metadata)) === true
  }

  /** What becomes of this object is not known: whoever asks may not see it. */
  hide(ref: TraceRef): void {
    this.#hidden.add(`${ref.kind} ${ref.name}`)
  }

  all(): readonly KubeObject[] {
    return [...this.#read.values()].flatMap(({ objects }) => [...objects.values()])
  }

  of(kind: GroupKind): readonly KubeObject[] {
    return [...(this.#read.get(formatGroupKind(kind))?.objects.values() ?? [])]
  }

  world(): World {
    this.#assumeNamespaces()
    return {
      kinds: [...this.#read.values()].map(({ kind, objects }) => ({
        kind,
        objects: [...objects.values()].map((object) => this.#withSeenOwners(object)),
      })),
      rightsKnown: ![...this.#denied.values()].some(({ group }) => group === RBAC),
      warnings: [...this.#offersNotSeen(), ...this.#hiddenObjects()],
      mayNotList: (kind) => {
        const denied = this.#denied.get(formatGroupKind(kind))
        return denied && mayNotList(denied)
      },
      more: (kind, wanted) => this.#more(kind, wanted),
    }
  }

  /** Read when somebody asks for it: which kinds functions look at is known when they are asked. */
  async #more(wanted: GroupKind, { namespace, name, labels = {} }: Wanted): Promise<readonly KubeObject[] | undefined> {
    const kind = this.stored(wanted)
    if (kind === undefined || (this.isWhole(kind) && !this.isDenied(kind))) return []
    const byName = name !== undefined && name !== ''
    const found = byName
      ? await this.#alone(kind, { name, namespace: kind.namespaced ? namespace : undefined })
      : await this.#selection(kind, namespace, formatLabelSelector(requirementsOf({ matchLabels: labels })))
    for (const object of found ?? []) this.#shown.add(keyOf(kind, object.metadata))
    // What the world has, the fork has, or had: it may have been deleted there.
    return found?.filter((object) => !this.has(object))
  }

  async #alone(
    kind: StoredKind,
    ref: { readonly name: string; readonly namespace: string | undefined },
  ): Promise<readonly KubeObject[] | undefined> {
    try {
      const found = await this.#client.find(kind, ref, { signal: this.#signal })
      return found === undefined ? [] : [found]
    } catch (error) {
      if (hasReason(error, 'Forbidden')) return undefined
      throw error
    }
  }

  #selection(kind: StoredKind, namespace: string | undefined, labelSelector: string): Promise<readonly KubeObject[] | undefined> {
    const place = `${formatGroupKind(kind)} ${namespace ?? ''} ${labelSelector}`
    let reading = this.#selected.get(place)
    if (reading === undefined) {
      reading = this.#page(kind, namespace, labelSelector).catch((error: unknown) => {
        if (hasReason(error, 'Forbidden')) return undefined
        throw error
      })
      this.#selected.set(place, reading)
    }
    return reading
  }

  #add(kind: StoredKind, object: KubeObject): void {
    const key = formatGroupKind(kind)
    const read = this.#read.get(key) ?? { kind, objects: new Map<string, KubeObject>(), whole: false }
    this.#read.set(key, read)
    const place = placeOf(object.metadata)
    if (!read.objects.has(place)) read.objects.set(place, object)
  }

  async #list(kind: StoredKind): Promise<void> {
    const key = formatGroupKind(kind)
    const earlier = this.#read.get(key)
    this.#read.set(key, { kind, objects: earlier?.objects ?? new Map(), whole: true })
    try {
      for (const object of await this.#page(kind)) this.#add(kind, object)
    } catch (error) {
      if (hasReason(error, 'NotFound')) return void this.#read.delete(key)
      if (!hasReason(error, 'Forbidden')) throw error
      this.#denied.set(key, kind)
      if (!kind.namespaced) return
      for (const namespace of this.#namespaces) for (const object of await this.#within(kind, namespace)) this.#add(kind, object)
    }
  }

  async #page(kind: StoredKind, namespace?: string, labels?: string): Promise<readonly KubeObject[]> {
    const { items } = await this.#client.list(kind, { namespace, labels: labels === '' ? undefined : labels, signal: this.#signal })
    return items.map((item) => named(kind, item))
  }

  async #within(kind: StoredKind, namespace: string): Promise<readonly KubeObject[]> {
    try {
      return await this.#page(kind, namespace)
    } catch (error) {
      if (!hasReason(error, 'Forbidden') && !hasReason(error, 'NotFound')) throw error
      return []
    }
  }

  /** The server took the change in a dry run, so the namespaces that it names are there. */
  #assumeNamespaces(): void {
    const read = this.#read.get(formatGroupKind(NAMESPACE))
    if (read === undefined || !this.isDenied(NAMESPACE)) return
    for (const name of new Set(['default', ...this.all().flatMap(({ metadata }) => metadata.namespace ?? []), ...this.#namespaces]))
      this.#add(read.kind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: `assumed-${name}`, resourceVersion: '1' } })
  }

  /** An owner that may not be seen is there all the same: what it owns must not be taken for an orphan. */
  #withSeenOwners(object: KubeObject): KubeObject {
    const { ownerReferences = [], namespace } = object.metadata
    const seen = ownerReferences.filter((owner) => {
      const kind = kindOf(owner)
      const at = { name: owner.name, namespace: this.stored(kind)?.namespaced === true ? namespace : undefined }
      const mayBeHidden = this.isDenied(kind) || this.#lookedFor.get(keyOf(kind, at)) === 'hidden'
      return !mayBeHidden || this.of(kind).some(({ metadata }) => metadata.uid === owner.uid)
    })
    return seen.length === ownerReferences.length ? object : withMeta(object, { ownerReferences: seen })
  }

  /** Without classes, definitions and compositions a plan is guesswork; what was made for others does not count. */
  #offersNotSeen(): readonly string[] {
    return [...this.#denied.values()].filter(isOffer).map((kind) => `${mayNotList(kind)}: what depends on them may turn out differently`)
  }

  #hiddenObjects(): readonly string[] {
    return this.#hidden.size === 0 ? [] : [`you may not see ${[...this.#hidden].join(', ')}: what becomes of it is not known`]
  }
}

const mayNotList = ({ plural, group }: StoredKind): string => `you may not list ${plural}.${group}`

/** Items of a list need not say what they are. */
const named = ({ group, version, kind }: StoredKind, item: KubeObject): KubeObject => ({
  ...item,
  apiVersion: group === '' ? version : `${group}/${version}`,
  kind,
})

interface Place {
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

const keyOf = (kind: GroupKind, place: Place): string => `${formatGroupKind(kind)} ${placeOf(place)}`

const placeOf = ({ namespace, name }: Place): string => `${namespace ?? ''}/${name ?? ''}`
