import { findCondition, formatGroupKind, type GroupKind, type OwnerReference } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { DEFINITION_GROUP } from '../definition/kinds.ts'
import { isReservedGroup } from '../definition/nature.ts'
import { ALL, type Audience, AUDIENCES, COMPOSE, contribution, type ClusterRole, kindsRoleName, type PolicyRule, READ } from './roles.ts'

/** Categories by which a kind says that Weft has to do with it. */
const CATEGORIES = new Set(['crossplane', 'weft', 'claim', 'class', 'managed', 'composite', 'application', 'requirement', 'provider'])
/** Kinds that application operators ask with. */
const INTENTS = new Set(['claim', 'requirement', 'application'])
/** Kinds that everybody may look at to see what can be asked for. */
const CATALOGUE = new Set(['class', 'definition'])
const PACKAGES = 'pkg.crossplane.io'
const PROTECTION = 'protection.crossplane.io'
/** What is on offer, and what makes it. */
const OFFERS = new Set([
  'Composition',
  'CompositionRevision',
  'CompositeResourceDefinition',
  'ManagedResourceDefinition',
  'InfrastructurePublication',
  'ManagedResourceActivationPolicy',
])
const DEFINERS = /^(apiextensions|pkg)\.crossplane\.io\//

/**
 * The roles for the kinds that are there: one per audience, whatever the number of kinds. `claims` are kinds that
 * classes or rows of the binding table name as claims, however plain their definition is (F2). Kinds of others are left out.
 */
export function rolesForKinds(
  definitions: Iterable<CustomResourceDefinition>,
  claims: readonly GroupKind[] = [],
  nameOf: (audience: Audience) => string = kindsRoleName,
): readonly ClusterRole[] {
  const named = new Set(claims.map(formatGroupKind))
  const granted = new Map<Audience, Grants>(AUDIENCES.map((audience) => [audience, new Grants()]))
  for (const definition of definitions) {
    const { group, names, scope } = definition.spec
    const isNamed = scope === 'Namespaced' && named.has(formatGroupKind({ group, kind: names.kind }))
    if (!isNamed && !concernsWeft(definition)) continue
    const categories = categoriesOf(definition)
    const isIntent = isNamed || (scope === 'Namespaced' && categories.some((category) => INTENTS.has(category)))
    const isCatalogue = isOfCatalogue(definition, categories)
    granted.get('controllers')?.add(group, names.plural, 'controllers')
    // Packages bring code and kinds: who composes infrastructure sees them, and who installs them is somebody whom an administrator chose for that.
    const isPackage = group === PACKAGES
    // Which of its kinds there are is decided with the package.
    const isActivation = group === DEFINITION_GROUP && names.kind === 'ManagedResourceActivationPolicy'
    // What redirects the packages of everybody is an administrator's.
    const isOfAdministrators = isPackage && names.kind === 'ImageConfig'
    granted.get('package-operator')?.add(group, names.plural, isOfAdministrators ? 'read' : isPackage || isActivation ? 'write' : 'nothing')
    // In a namespace, a Usage protects what is in it, and a composite is composed of what is in it: both belong to whoever works there.
    const isTheirs = isIntent || (scope === 'Namespaced' && (group === PROTECTION || isComposite(definition)))
    granted.get('infrastructure-operator')?.add(group, names.plural, isPackage ? 'read' : isIntent ? 'compose' : 'write')
    granted.get('application-operator')?.add(group, names.plural, isTheirs ? 'write' : isCatalogue ? 'read' : 'nothing')
    granted.get('browser')?.add(group, names.plural, isCatalogue ? 'read' : 'nothing')
  }
  return [...granted].map(([audience, grants]) => contribution(nameOf(audience), audience, grants.rules()))
}

/**
 * Whether a kind may bring rights along. Not before it is served: a definition that never is, because its names are taken, must not give rights on what has
 * them. And never in a group of Kubernetes or of Weft's machinery: rights on Weft's own kinds come with the release.
 */
export const bringsRights = ({ spec, status }: CustomResourceDefinition): boolean =>
  !isReservedGroup(spec.group) && findCondition(status?.conditions, 'Established')?.status === 'True'

const categoriesOf = ({ spec }: CustomResourceDefinition): readonly string[] => spec.names.categories ?? []

function concernsWeft(definition: CustomResourceDefinition): boolean {
  if (categoriesOf(definition).some((category) => CATEGORIES.has(category))) return true
  return controllerOfKind(definition) !== undefined
}

/** A kind of composites that is asked for without claims. */
const isComposite = (definition: CustomResourceDefinition): boolean => controllerOfKind(definition)?.kind === 'CompositeResourceDefinition'

/** The definition or package that a kind was made for. */
export function controllerOfKind(definition: CustomResourceDefinition): OwnerReference | undefined {
  const controller = controllerOf(definition)
  return controller !== undefined && DEFINERS.test(controller.apiVersion) ? controller : undefined
}

const isOfCatalogue = ({ spec }: CustomResourceDefinition, categories: readonly string[]): boolean =>
  categories.some((category) => CATALOGUE.has(category)) ||
  (spec.group === DEFINITION_GROUP && OFFERS.has(spec.names.kind)) ||
  // Whether what a Composition names can be had, and what would come of it, is for everybody to see.
  (spec.group === PACKAGES && spec.names.kind === 'Function') ||
  (spec.group === 'weft.dev' && /^Resource(Binding|Reference)Definition$/.test(spec.names.kind))

type Grant = 'controllers' | 'write' | 'compose' | 'read' | 'nothing'

/** Collects resources by group, sorted, so that the same kinds always make the same role. */
class Grants {
  readonly #byGroup = new Map<string, Map<string, Grant>>()

  add(group: string, plural: string, grant: Grant): void {
    if (grant === 'nothing') return
    let resources = this.#byGroup.get(group)
    if (resources === undefined) this.#byGroup.set(group, (resources = new Map()))
    resources.set(plural, grant)
  }

  rules(): readonly PolicyRule[] {
    return [...this.#byGroup]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([group, resources]) => {
        const plurals = (wanted: Grant): readonly string[] =>
          [...resources].flatMap(([plural, grant]) => (grant === wanted ? [plural] : [])).toSorted()
        const own = plurals('controllers')
        return [
          ...rule(group, own, ALL),
          ...rule(
            group,
            own.map((plural) => `${plural}/status`),
            ['get', 'update', 'patch'],
          ),
          ...rule(
            group,
            own.map((plural) => `${plural}/finalizers`),
            ['update'],
          ),
          ...rule(group, plurals('write'), ALL),
          ...rule(group, plurals('compose'), [...READ, COMPOSE]),
          ...rule(group, plurals('read'), READ),
        ]
      })
  }
}

const rule = (group: string, resources: readonly string[], verbs: readonly string[]): readonly PolicyRule[] =>
  resources.length === 0 ? [] : [{ apiGroups: [group], resources, verbs }]
