import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import type { PackageContents } from '../../contract.ts'
import { kindKey } from '../../kinds/kind-info.ts'
import type { WorldSnapshot } from '../../world/world.ts'
import { type InstalledPackage, installedPackages } from './installed-packages.ts'

/** A kind that comes with a package, stays, or goes with what is replaced. */
export interface PlannedKind {
  readonly group: string
  readonly kind: string
  readonly change: 'comes' | 'stays' | 'goes'
  /** How many objects of it there are; undefined where that is not known here. */
  readonly objects: number | undefined
}

export interface PackagePlan {
  readonly kinds: readonly PlannedKind[]
  readonly dependencies: readonly (PackageContents['dependencies'][number] & { readonly isInstalled: boolean })[]
  /** What is installed under that name already. */
  readonly replaces: InstalledPackage | undefined
}

const DEFINITIONS = [
  'CustomResourceDefinition.apiextensions.k8s.io',
  'ManagedResourceDefinition.apiextensions.crossplane.io',
  'CompositeResourceDefinition.apiextensions.crossplane.io',
  'InfrastructureDefinition.apiextensions.crossplane.io',
  'ApplicationDefinition.apiextensions.crossplane.io',
]

/** Is it one of the kinds that say which kinds a package has brought? */
export const definesKinds = (kind: { readonly group: string; readonly kind: string }): boolean => DEFINITIONS.includes(kindKey(kind))

/** How many objects of a kind there are, as far as that is known; see kindKey. */
export type ObjectCounts = (key: string) => number | undefined

/** What installing this package under this name would bring and take away, as far as the user can see. */
export function planPackage(world: WorldSnapshot, objectsOf: ObjectCounts, contents: PackageContents, name: string): PackagePlan {
  const packages = installedPackages(world)
  const replaces = packages.find(({ object }) => object.kind === contents.type && object.metadata.name === name)
  const before = new Map((replaces === undefined ? [] : kindsOfPackage(world, objectsOf, replaces)).map((kind) => [kindKey(kind), kind]))
  const after = new Map(contents.kinds.map((kind) => [kindKey(kind), kind]))
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, kind]) => ({ ...kind, change: 'goes' as const }))
  const rest = [...after].map(([key, { group, kind }]) => ({
    group,
    kind,
    change: before.has(key) ? ('stays' as const) : ('comes' as const),
    objects: objectsOf(kindKey({ group, kind })),
  }))
  const order = ['goes', 'comes', 'stays']
  return {
    kinds: [...gone, ...rest].sort((a, b) => order.indexOf(a.change) - order.indexOf(b.change) || a.kind.localeCompare(b.kind)),
    dependencies: contents.dependencies.map((dependency) => ({
      ...dependency,
      isInstalled: packages.some(({ source }) => repositoryOf(source) === repositoryOf(dependency.package)),
    })),
    replaces,
  }
}

/** The kinds that a package has brought: the definitions that it owns, itself or by a revision. Each once. */
export function kindsOfPackage(
  world: WorldSnapshot,
  objectsOf: ObjectCounts,
  { object, revisions }: InstalledPackage,
): readonly PlannedKind[] {
  const owners = new Set([object, ...revisions.map((revision) => revision.object)].map(({ metadata }) => metadata.uid))
  const kinds = new Map<string, PlannedKind>()
  for (const key of DEFINITIONS)
    for (const definition of world.collections.get(key)?.objects.values() ?? []) {
      if (definition.metadata.ownerReferences?.some(({ uid }) => owners.has(uid)) !== true) continue
      const kind = definedBy(definition)
      if (kind !== undefined) kinds.set(kindKey(kind), { ...kind, change: 'goes', objects: objectsOf(kindKey(kind)) })
    }
  return [...kinds.values()].sort((a, b) => (b.objects ?? 0) - (a.objects ?? 0) || a.kind.localeCompare(b.kind))
}

function definedBy({ spec }: KubeObject & { readonly spec?: unknown }): { readonly group: string; readonly kind: string } | undefined {
  const holder = at(spec, 'crdSpecTemplate') ?? spec
  const [group, kind] = [at(holder, 'group'), at(holder, 'names', 'kind')]
  return typeof group === 'string' && typeof kind === 'string' ? { group, kind } : undefined
}

/** `registry/name` of `registry/name:v1@sha256:…` */
const repositoryOf = (source: string): string => source.replace(/@sha256:.*$/, '').replace(/:[^/:]*$/, '')

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (isJsonObject(node) ? getOwn(node, key) : undefined), value)
