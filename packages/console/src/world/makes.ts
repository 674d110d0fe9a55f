import { getOwn, type GroupKind, isJsonObject, type KubeObject, matchesLabels, parseGroupVersion, requirementsOf } from '@weft/api'
import { type KindInfo, kindKey, OFFERING_ROLES, roleOf } from '../kinds/kind-info.ts'
import type { WorldSnapshot } from './world.ts'
import { compositionSteps } from './composition-steps.ts'

/** Something that a class, Composition, definition or publication makes. */
export interface Made extends GroupKind {
  /** How many of it. */
  readonly count: number
  /** A class that was asked in turn: `GKEClusterClass fast`. */
  readonly through?: string
}

const field = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (isJsonObject(node) ? getOwn(node, key) : undefined), value)

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export const BINDINGS = 'ResourceBindingDefinition.weft.dev'

/** Do objects of this kind decide what is made for whom? */
export const decidesOffers = (kind: KindInfo): boolean => OFFERING_ROLES.includes(roleOf(kind) ?? 'managed') || kindKey(kind) === BINDINGS

/** Rows of the binding table. */
export const bindingRows = (world: WorldSnapshot): readonly KubeObject[] => [...(world.collections.get(BINDINGS)?.objects.values() ?? [])]

const groupKind = (value: unknown): GroupKind => ({ group: text(field(value, 'group')), kind: text(field(value, 'kind')) })

const sameKind = (a: GroupKind, b: GroupKind): boolean => a.group === b.group && a.kind === b.kind

const ofObject = (object: KubeObject): GroupKind => ({ group: parseGroupVersion(object.apiVersion).group, kind: object.kind })

/** What an offer would make, as far as that can be said without an intent. */
export function makesOf(world: WorldSnapshot, offer: KubeObject): readonly Made[] {
  const spec = offer['spec']
  switch (offer.kind) {
    case 'Composition':
    case 'CompositionRevision':
      return counted(
        compositionSteps(offer).flatMap(({ resources }) =>
          resources.map(({ apiVersion, kind }) => ({ group: parseGroupVersion(apiVersion).group, kind })),
        ),
      )
    case 'CompositeResourceDefinition':
      return [{ group: text(field(spec, 'group')), kind: text(field(spec, 'names', 'kind')), count: 1 }]
    case 'CompositeResourceClass':
      return counted(list(field(spec, 'resources')).map((template) => base(template)))
    case 'ResourceClass':
      return counted([base(field(spec, 'resource'))])
    case 'AggregateResourceClass':
      return aggregated(world, offer)
    case 'ApplicationDefinition':
    case 'InfrastructureDefinition':
      return [
        { group: text(field(spec, 'crdSpecTemplate', 'group')), kind: text(field(spec, 'crdSpecTemplate', 'names', 'kind')), count: 1 },
      ]
    case 'InfrastructurePublication':
      return published(world, offer)
    default:
      return unique(bindingRows(world).filter((row) => sameKind(groupKind(field(row, 'spec', 'class')), ofObject(offer)))).map(
        (managed) => ({ ...managed, count: 1 }),
      )
  }
}

const unique = (rows: readonly KubeObject[]): readonly GroupKind[] => [
  ...new Map(rows.map((row) => groupKind(field(row, 'spec', 'managed'))).map((kind) => [kindKey(kind), kind])).values(),
]

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function base(template: unknown): GroupKind {
  const object = field(template, 'base')
  return { group: parseGroupVersion(text(field(object, 'apiVersion'))).group, kind: text(field(object, 'kind')) }
}

function counted(kinds: readonly GroupKind[]): readonly Made[] {
  const counts = new Map<string, Made>()
  for (const kind of kinds) counts.set(kindKey(kind), { ...kind, count: (counts.get(kindKey(kind))?.count ?? 0) + 1 })
  return [...counts.values()]
}

function aggregated(world: WorldSnapshot, offer: KubeObject): readonly Made[] {
  const labels = field(offer, 'aggregationRule', 'classSelector')
  const requirements = requirementsOf(isJsonObject(labels) ? labels : undefined)
  if (requirements.length === 0) return []
  return classes(world)
    .filter((other) => other.kind !== 'AggregateResourceClass' && matchesLabels(requirements, other.metadata.labels))
    .flatMap((other) => makesOf(world, other).map((made) => ({ ...made, through: `${other.kind} ${other.metadata.name ?? ''}` })))
}

function published(world: WorldSnapshot, offer: KubeObject): readonly Made[] {
  const name = text(field(offer, 'spec', 'infrastructureDefinitionReference', 'name'))
  const definition = world.collections.get('InfrastructureDefinition.apiextensions.crossplane.io')?.objects.get(`/${name}`)
  return definition === undefined ? [] : makesOf(world, definition).map((made) => ({ ...made, kind: `${made.kind}Requirement` }))
}

export const classes = (world: WorldSnapshot): readonly KubeObject[] =>
  [...world.collections.values()].filter(({ kind }) => roleOf(kind) === 'class').flatMap(({ objects }) => [...objects.values()])

/** Is all known that decides what there is to choose from? */
export const offersLoaded = (world: WorldSnapshot): boolean =>
  [...world.collections.values()]
    .filter(({ kind }) => ['class', 'composition'].includes(roleOf(kind) ?? '') || kindKey(kind) === BINDINGS)
    .every(({ loaded, state }) => loaded || state.phase === 'refused')

/** The kinds of claim that a class can satisfy. */
export function claimsOf(world: WorldSnapshot, offer: KubeObject): readonly GroupKind[] {
  if (offer.kind === 'ResourceClass' || offer.kind === 'CompositeResourceClass') {
    const claim = field(offer, 'spec', 'claim')
    return [{ group: parseGroupVersion(text(field(claim, 'apiVersion'))).group, kind: text(field(claim, 'kind')) }]
  }
  const rows = bindingRows(world).filter((row) => field(row, 'spec', 'type') !== 'Supporting')
  const made = offer.kind === 'AggregateResourceClass' ? makesOf(world, offer) : undefined
  const wanted = rows.filter((row) =>
    made === undefined
      ? sameKind(groupKind(field(row, 'spec', 'class')), ofObject(offer))
      : made.some((kind) => sameKind(kind, groupKind(field(row, 'spec', 'managed')))),
  )
  return [...new Map(wanted.map((row) => groupKind(field(row, 'spec', 'claim'))).map((kind) => [kindKey(kind), kind])).values()]
}

/** Classes that a claim of this kind can choose from. */
export const classesFor = (world: WorldSnapshot, claim: GroupKind): readonly KubeObject[] =>
  classes(world).filter((offer) => claimsOf(world, offer).some((kind) => sameKind(kind, claim)))

const IS_DEFAULT = 'resourceclass.crossplane.io/is-default-class'

export const isDefaultClass = ({ metadata }: KubeObject): boolean => metadata.annotations?.[IS_DEFAULT] === 'true'

const DEFINITIONS = ['InfrastructureDefinition', 'ApplicationDefinition', 'CompositeResourceDefinition']

/** What defines the kind of a composite. */
export const definitionOf = (world: WorldSnapshot, composite: GroupKind): KubeObject | undefined =>
  DEFINITIONS.flatMap((kind) => [...(world.collections.get(`${kind}.apiextensions.crossplane.io`)?.objects.values() ?? [])]).find(
    (definition) => makesOf(world, definition).some((made) => sameKind(made, composite)),
  )

/** Claims of Crossplane's composite resources are made by compositions. */
export function compositeOfClaim(world: WorldSnapshot, claim: GroupKind): GroupKind | undefined {
  const definitions = world.collections.get('CompositeResourceDefinition.apiextensions.crossplane.io')?.objects.values() ?? []
  for (const definition of definitions)
    if (field(definition, 'spec', 'group') === claim.group && field(definition, 'spec', 'claimNames', 'kind') === claim.kind)
      return { group: claim.group, kind: text(field(definition, 'spec', 'names', 'kind')) }
  return undefined
}

/** The name of the Composition that is used for objects of this kind when they name none. */
export function defaultCompositionOf(world: WorldSnapshot, composite: GroupKind): string | undefined {
  const spec = definitionOf(world, composite)?.['spec']
  return ['enforcedCompositionRef', 'defaultCompositionRef', 'defaultComposition']
    .map((name) => text(field(spec, name, 'name')))
    .find(Boolean)
}

/** The kind whose objects a Composition composes. */
export function composedBy(composition: KubeObject): GroupKind {
  const from = field(composition, 'spec', 'from') ?? field(composition, 'spec', 'compositeTypeRef')
  return { group: parseGroupVersion(text(field(from, 'apiVersion'))).group, kind: text(field(from, 'kind')) }
}

/** Compositions for objects of this kind. */
export const compositionsFor = (world: WorldSnapshot, composite: GroupKind): readonly KubeObject[] =>
  [...(world.collections.get('Composition.apiextensions.crossplane.io')?.objects.values() ?? [])].filter((composition) =>
    sameKind(composedBy(composition), composite),
  )
