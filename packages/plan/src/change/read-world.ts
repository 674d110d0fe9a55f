import {
  formatGroupKind,
  getOwn,
  type GroupKind,
  hasReason,
  inTurn,
  isJsonObject,
  type KubeObject,
  parseGroupVersion,
  specOf,
  withMeta,
} from '@weft/api'
import { type Client, type CustomResourceDefinition, customResourceDefinitionKind, discover, type ServedKind } from '@weft/client'
import type { TraceNode, TraceRef } from '@weft/composition'
import { traceObject } from '../trace/trace-object.ts'
import { type Change, PlanError } from './plan.ts'

/** A kind, and where its objects are kept. */
export interface StoredKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
}

/** Everything that a change may have to do with, as the server has it. Never a Secret. */
export interface World {
  readonly kinds: readonly { readonly kind: StoredKind; readonly objects: readonly KubeObject[] }[]
  /** False: whoever asks may not see who may do what, so that nothing is refused to accounts that compose. */
  readonly rightsKnown: boolean
  /** What could not be read, in sentences. */
  readonly warnings: readonly string[]
  /** Why nothing is known of the objects of a kind; undefined where they were read. */
  mayNotList(kind: GroupKind): string | undefined
  /** Objects of a kind that the world lacks, of one namespace or of all. Undefined: whoever asks may not list them. */
  more(kind: GroupKind, namespace: string | undefined): Promise<readonly KubeObject[] | undefined>
}

export interface ReadOptions {
  /** Of objects that name none. */
  readonly namespace?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Kinds of Kubernetes that the controllers' own work depends on: where things are, and who may compose. */
const NAMESPACE: GroupKind = { group: '', kind: 'Namespace' }
const RBAC = 'rbac.authorization.k8s.io'
const NEEDED: readonly GroupKind[] = [
  NAMESPACE,
  { group: '', kind: 'ServiceAccount' },
  { group: RBAC, kind: 'ClusterRole' },
  { group: RBAC, kind: 'ClusterRoleBinding' },
  { group: RBAC, kind: 'Role' },
  { group: RBAC, kind: 'RoleBinding' },
]

const CONCURRENCY = 8

/**
 * Reads with the rights of whoever asks. Somebody who works in one namespace sees their own part: what is theirs in that namespace, what is on offer, and,
 * one by one, what was made for what they change. What that leaves out and the change may depend on is a warning.
 */
export async function readWorld(client: Client, change: Change, { namespace = 'default', signal }: ReadOptions = {}): Promise<World> {
  const served = await discover(client.transport, signal)
  const crds = await listDefinitions(client, signal)
  const custom = crds.flatMap(storedKindOf)
  const concerned = [...(change.apply ?? []).map((object) => ({ ...object, ...object.metadata })), ...(change.delete ?? [])].map(
    (each) => ({ apiVersion: each.apiVersion, kind: each.kind, namespace: each.namespace ?? namespace, name: each.name ?? '' }),
  )
  const reader = new WorldReader({ client, served, namespaces: [...new Set(concerned.map((ref) => ref.namespace))], signal })
  await reader.read([storedCrd, ...custom, ...NEEDED.flatMap((kind) => builtIn(served, kind))])
  // What is composed, applied or owns something may be of any kind of Kubernetes; only those are read.
  const more = [...kindsIn(reader.all()), ...concerned.map(kindOf), ...ownersOf(reader.all())]
  await reader.read(more.flatMap((kind) => builtIn(served, kind)))
  for (const ref of concerned) await reader.readBelow(ref)
  return reader.world()
}

/** Without them there is nothing to plan with. */
async function listDefinitions(client: Client, signal: AbortSignal | undefined): Promise<readonly CustomResourceDefinition[]> {
  try {
    return (await client.list(customResourceDefinitionKind, { signal })).items
  } catch (error) {
    if (!hasReason(error, 'Forbidden')) throw error
    throw new PlanError('you may not list CustomResourceDefinitions, which a plan needs: ask for the right to list them', { cause: error })
  }
}

const storedCrd: StoredKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
}

interface Read {
  readonly kind: StoredKind
  readonly objects: KubeObject[]
}

interface WorldReaderOptions {
  readonly client: Client
  readonly served: readonly ServedKind[]
  readonly namespaces: readonly string[]
  readonly signal: AbortSignal | undefined
}

class WorldReader {
  readonly #client: Client
  /** Those that the change is about. */
  readonly #namespaces: readonly string[]
  readonly #signal: AbortSignal | undefined
  readonly #read = new Map<string, Read>()
  /** Kinds of which not everything could be listed. */
  readonly #denied = new Map<string, StoredKind>()
  readonly #hidden: string[] = []
  readonly #served: readonly ServedKind[]
  readonly #later = new Map<string, Promise<readonly KubeObject[] | undefined>>()

  constructor({ client, served, namespaces, signal }: WorldReaderOptions) {
    this.#client = client
    this.#served = served
    this.#namespaces = namespaces
    this.#signal = signal
  }

  async read(kinds: readonly StoredKind[]): Promise<void> {
    const wanted = [...new Map(kinds.map((kind) => [formatGroupKind(kind), kind])).values()].filter(
      (kind) => !this.#read.has(formatGroupKind(kind)) && !isSecret(kind),
    )
    await inTurn(wanted, CONCURRENCY, (kind) => this.#list(kind))
  }

  /** What was made for an object, where it could not be listed: each of them by name. */
  async readBelow(ref: TraceRef): Promise<void> {
    if (this.#denied.size === 0) return
    const node = await traceObject(
      async (wanted) => {
        const kind = kindOf(wanted)
        const read = this.#read.get(formatGroupKind(kind))
        if (read === undefined) return undefined
        const isIt = ({ metadata }: KubeObject): boolean => metadata.name === wanted.name && metadata.namespace === wanted.namespace
        const known = read.objects.find(isIt)
        if (known !== undefined || !this.#denied.has(formatGroupKind(kind))) return known
        try {
          const found = await this.#client.find(read.kind, { name: wanted.name, namespace: wanted.namespace }, { signal: this.#signal })
          if (found !== undefined) read.objects.push(found)
          return found
        } catch (error) {
          if (hasReason(error, 'Forbidden')) return 'hidden'
          throw error
        }
      },
      this.#read.get(formatGroupKind(kindOf(ref)))?.kind.namespaced === false ? withoutNamespace(ref) : ref,
    )
    const visit = ({ state, ref: at, children }: TraceNode): void => {
      if (state === 'hidden') this.#hidden.push(`${at.kind} ${at.name}`)
      children.forEach(visit)
    }
    visit(node)
  }

  all(): readonly KubeObject[] {
    return [...this.#read.values()].flatMap(({ objects }) => objects)
  }

  world(): World {
    this.#assumeNamespaces()
    return {
      kinds: [...this.#read.values()].map(({ kind, objects }) => ({
        kind,
        objects: objects.map((object) => this.#withSeenOwners(object)),
      })),
      rightsKnown: ![...this.#denied.values()].some(({ group }) => group === RBAC),
      warnings: [...this.#offersNotSeen(), ...this.#hiddenObjects()],
      mayNotList: (kind) =>
        this.#denied.has(formatGroupKind(kind)) ? mayNotList(this.#denied.get(formatGroupKind(kind)) as StoredKind) : undefined,
      more: (kind, namespace) => this.#more(kind, namespace),
    }
  }

  /** Read when somebody asks for it: which kinds functions look at is known when they are asked. */
  #more(wanted: GroupKind, namespace: string | undefined): Promise<readonly KubeObject[] | undefined> {
    const key = formatGroupKind(wanted)
    const read = this.#read.get(key)
    if (read !== undefined && !this.#denied.has(key)) return Promise.resolve([])
    const kind = read?.kind ?? builtIn(this.#served, wanted)[0]
    if (kind === undefined) return Promise.resolve([])
    const place = `${key} ${namespace ?? ''}`
    const known = this.#later.get(place)
    if (known !== undefined) return known
    const reading = this.#page(kind, namespace).catch((error: unknown) => {
      if (hasReason(error, 'Forbidden')) return undefined
      throw error
    })
    this.#later.set(place, reading)
    return reading
  }

  async #list(kind: StoredKind): Promise<void> {
    const key = formatGroupKind(kind)
    const objects: KubeObject[] = []
    this.#read.set(key, { kind, objects })
    try {
      objects.push(...(await this.#page(kind)))
    } catch (error) {
      if (hasReason(error, 'NotFound')) return void this.#read.delete(key)
      if (!hasReason(error, 'Forbidden')) throw error
      this.#denied.set(key, kind)
      if (kind.namespaced) for (const namespace of this.#namespaces) objects.push(...(await this.#within(kind, namespace)))
    }
  }

  async #page(kind: StoredKind, namespace?: string): Promise<readonly KubeObject[]> {
    const { items } = await this.#client.list(kind, { namespace, signal: this.#signal })
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
    // Items of a list need not say what they are.
    return items.map((item) => ({ ...item, apiVersion, kind: kind.kind }))
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
    if (read === undefined || !this.#denied.has(formatGroupKind(NAMESPACE))) return
    for (const name of new Set(['default', ...this.all().flatMap(({ metadata }) => metadata.namespace ?? []), ...this.#namespaces]))
      read.objects.push({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: `assumed-${name}`, resourceVersion: '1' } })
  }

  /** An owner that may not be seen is there all the same: what it owns must not be taken for an orphan. */
  #withSeenOwners(object: KubeObject): KubeObject {
    const { ownerReferences = [] } = object.metadata
    const seen = ownerReferences.filter((owner) => {
      const key = formatGroupKind(kindOf(owner))
      return !this.#denied.has(key) || this.#read.get(key)?.objects.some(({ metadata }) => metadata.uid === owner.uid) === true
    })
    return seen.length === ownerReferences.length ? object : withMeta(object, { ownerReferences: seen })
  }

  /** Without classes, definitions and compositions a plan is guesswork; what was made for others does not count. */
  #offersNotSeen(): readonly string[] {
    return [...this.#denied.values()]
      .filter(({ group, kind }) => isOffer(group, kind))
      .map((kind) => `${mayNotList(kind)}: what depends on them may turn out otherwise`)
  }

  #hiddenObjects(): readonly string[] {
    return this.#hidden.length === 0 ? [] : [`you may not see ${this.#hidden.join(', ')}: what becomes of it is not known`]
  }
}

const withoutNamespace = ({ apiVersion, kind, name }: TraceRef): TraceRef => ({ apiVersion, kind, name })

const mayNotList = ({ plural, group }: StoredKind): string => `you may not list ${plural}.${group}`

/** Kinds of the group of all definitions that nothing in a plan looks at (it refuses no deletion), or only where a function asks, which says so. */
const NOT_LOOKED_AT = /Activation|^EnvironmentConfig$|^Usage$/

const isOffer = (group: string, kind: string): boolean =>
  /Class$/.test(kind) ||
  (group === 'pkg.crossplane.io' && kind === 'Function') ||
  (group === 'apiextensions.crossplane.io' && !NOT_LOOKED_AT.test(kind)) ||
  group === 'weft.dev'

const isSecret = ({ group, kind }: GroupKind): boolean => group === '' && kind === 'Secret'

/** Objects are read in the version in which they are kept. */
function storedKindOf({ spec }: CustomResourceDefinition): readonly StoredKind[] {
  const version = spec.versions.find(({ storage, served }) => storage && served) ?? spec.versions.find(({ served }) => served)
  if (version === undefined || spec.group.endsWith('.k8s.io')) return []
  const { kind, plural } = spec.names
  return [{ group: spec.group, version: version.name, kind, plural, namespaced: spec.scope === 'Namespaced' }]
}

/** One of Kubernetes' own kinds, in the version that the server prefers. */
function builtIn(served: readonly ServedKind[], { group, kind }: GroupKind): readonly StoredKind[] {
  if (group.includes('.') && !group.endsWith('.k8s.io')) return []
  const found = served.find((each) => each.group === group && each.kind === kind && each.verbs.includes('list'))
  return found === undefined ? [] : [found]
}

const kindOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): GroupKind => ({
  group: parseGroupVersion(apiVersion).group,
  kind,
})

/** Kinds that Compositions say they compose, and that composites are composed of. */
const kindsIn = (objects: readonly KubeObject[]): readonly GroupKind[] =>
  objects.flatMap((object) => {
    const spec = specOf(object)
    const crossplane = getOwn(spec, 'crossplane')
    const members = [...listOf(spec, 'resourceRefs'), ...listOf(crossplane, 'resourceRefs')]
    return [...(object.kind.startsWith('Composition') ? basesOf(spec) : []), ...members].flatMap(kindNamed)
  })

/** Of templates, and of what the function that everybody uses is told to make; what others make is known by the composites there are. */
function basesOf(spec: Readonly<Record<string, unknown>>): readonly unknown[] {
  const inputs = listOf(spec, 'pipeline').map((step) => (isJsonObject(step) ? getOwn(step, 'input') : undefined))
  const entries = [...listOf(spec, 'to'), ...listOf(spec, 'resources'), ...inputs.flatMap((input) => listOf(input, 'resources'))]
  return entries.map((entry) => (isJsonObject(entry) ? getOwn(entry, 'base') : undefined))
}

function listOf(holder: unknown, key: string): readonly unknown[] {
  const value = isJsonObject(holder) ? getOwn(holder, key) : undefined
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

function kindNamed(value: unknown): readonly GroupKind[] {
  if (!isJsonObject(value)) return []
  const { apiVersion, kind } = value
  return typeof apiVersion === 'string' && typeof kind === 'string' ? [kindOf({ apiVersion, kind })] : []
}

/** Without its owner an object would be taken for an orphan. */
const ownersOf = (objects: readonly KubeObject[]): readonly GroupKind[] =>
  objects.flatMap(({ metadata }) => (metadata.ownerReferences ?? []).map(kindOf))
