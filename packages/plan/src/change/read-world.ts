import { formatGroupKind, getOwn, type GroupKind, hasReason, isJsonObject, type KubeObject, parseGroupVersion } from '@weft/api'
import { type Client, type CustomResourceDefinition, customResourceDefinitionKind, discover, type ServedKind } from '@weft/client'
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
  /** What could not be read, in sentences. */
  readonly warnings: readonly string[]
}

/** Kinds of Kubernetes that the controllers' own work depends on: where things are, and who may compose. */
const NEEDED: readonly GroupKind[] = [
  { group: '', kind: 'Namespace' },
  { group: '', kind: 'ServiceAccount' },
  { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' },
  { group: 'rbac.authorization.k8s.io', kind: 'ClusterRoleBinding' },
  { group: 'rbac.authorization.k8s.io', kind: 'Role' },
  { group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' },
]

const CONCURRENCY = 8

/** Reads with the rights of whoever asks; what they may not read is a warning. */
export async function readWorld(client: Client, change: Change, signal?: AbortSignal): Promise<World> {
  const served = await discover(client.transport, signal)
  const crds = await listDefinitions(client, signal)
  const custom = crds.flatMap(storedKindOf)
  const reader = new WorldReader(client, signal)
  await reader.read([storedCrd, ...custom, ...NEEDED.flatMap((kind) => builtIn(served, kind))])
  // What is composed, applied or owns something may be of any kind of Kubernetes; only those are read.
  const more = [
    ...basesOf(reader.all()),
    ...(change.apply ?? []).map(kindOf),
    ...(change.delete ?? []).map(kindOf),
    ...ownersOf(reader.all()),
  ]
  await reader.read(more.flatMap((kind) => builtIn(served, kind)))
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

class WorldReader {
  readonly #client: Client
  readonly #signal: AbortSignal | undefined
  readonly #read = new Map<string, { readonly kind: StoredKind; readonly objects: readonly KubeObject[] }>()
  readonly #warnings: string[] = []

  constructor(client: Client, signal: AbortSignal | undefined) {
    this.#client = client
    this.#signal = signal
  }

  async read(kinds: readonly StoredKind[]): Promise<void> {
    const wanted = [...new Map(kinds.map((kind) => [formatGroupKind(kind), kind])).values()].filter(
      (kind) => !this.#read.has(formatGroupKind(kind)) && !isSecret(kind),
    )
    for (let at = 0; at < wanted.length; at += CONCURRENCY)
      await Promise.all(wanted.slice(at, at + CONCURRENCY).map((kind) => this.#list(kind)))
  }

  all(): readonly KubeObject[] {
    return [...this.#read.values()].flatMap(({ objects }) => objects)
  }

  world(): World {
    return { kinds: [...this.#read.values()], warnings: this.#warnings }
  }

  async #list(kind: StoredKind): Promise<void> {
    try {
      const { items } = await this.#client.list(kind, { signal: this.#signal })
      const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
      // Items of a list need not say what they are.
      this.#read.set(formatGroupKind(kind), { kind, objects: items.map((item) => ({ ...item, apiVersion, kind: kind.kind })) })
    } catch (error) {
      if (hasReason(error, 'NotFound')) return
      if (!hasReason(error, 'Forbidden')) throw error
      this.#read.set(formatGroupKind(kind), { kind, objects: [] })
      this.#warnings.push(
        `you may not list ${kind.plural}${kind.group === '' ? '' : `.${kind.group}`}: what depends on them may turn out otherwise`,
      )
    }
  }
}

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

/** Kinds that Compositions compose. */
function basesOf(objects: readonly KubeObject[]): readonly GroupKind[] {
  return objects
    .filter(({ kind }) => kind === 'Composition')
    .flatMap((composition) => {
      const spec = isJsonObject(composition['spec']) ? composition['spec'] : {}
      const entries = getOwn(spec, 'to') ?? getOwn(spec, 'resources')
      return Array.isArray(entries) ? (entries as readonly unknown[]) : []
    })
    .flatMap((entry) => {
      const base = isJsonObject(entry) ? getOwn(entry, 'base') : undefined
      if (!isJsonObject(base)) return []
      const { apiVersion, kind } = base
      return typeof apiVersion === 'string' && typeof kind === 'string' ? [kindOf({ apiVersion, kind })] : []
    })
}

/** Without its owner an object would be taken for an orphan. */
const ownersOf = (objects: readonly KubeObject[]): readonly GroupKind[] =>
  objects.flatMap(({ metadata }) => (metadata.ownerReferences ?? []).map(kindOf))
