import { findCondition, getOwn, type GroupKind, isJsonObject, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { type KindInfo, kindKey, roleOf } from '../../kinds/kind-info.ts'
import type { WorldSnapshot } from '../../world/world.ts'
import { compositionSteps } from '../../world/composition-steps.ts'
import { classesFor, compositeOfClaim, compositionsFor, makesOf, offersLoaded } from '../../world/makes.ts'
import { providerPackageOf } from './provider-package.ts'

/** The kinds that the server serves; undefined while that is not known. */
export type ServedKinds = { byKind(group: string, kind: string): Pick<KindInfo, 'group' | 'plural'> | undefined } | undefined

const MANAGED_DEFINITIONS = 'ManagedResourceDefinition.apiextensions.crossplane.io'
const FUNCTIONS = 'Function.pkg.crossplane.io'

/** Why an offer cannot work now, a sentence each with what to do. Only what is known for certain: empty while objects are on their way. */
export function obstaclesOf(world: WorldSnapshot, kinds: ServedKinds, offer: KubeObject): readonly string[] {
  if (kinds === undefined) return []
  if (offer.kind !== 'Composition' && !offer.kind.endsWith('Class')) return []
  const functions = [...new Set(compositionSteps(offer).flatMap(({ fn }) => fn ?? []))]
  return [
    ...functions.flatMap((name) => functionObstacle(world, name) ?? []),
    ...makesOf(world, offer).flatMap((made) => kindObstacle(world, kinds, made) ?? []),
  ]
}

/** Why nothing would come of asking for an object of this kind. */
export function intentObstacles(world: WorldSnapshot, kinds: ServedKinds, intent: KindInfo): readonly string[] {
  if (kinds === undefined || !offersLoaded(world) || isHidden(world)) return []
  const offers = offersFor(world, intent)
  const isFromClass = roleOf(intent) === 'claim' && compositeOfClaim(world, intent) === undefined
  const what = isFromClass ? 'class' : 'composition'
  if (offers === undefined) return []
  if (offers.length === 0) return [`No ${what} exists for this kind. A claim waits until a platform team adds one.`]
  const all = offers.map((offer) => obstaclesOf(world, kinds, offer))
  // One that works is enough.
  if (all.some((each) => each.length === 0)) return []
  return [...new Set(all.flat())]
}

/** What can make an object of this kind. Undefined: that is not decided by classes and compositions. */
export function offersFor(world: WorldSnapshot, intent: KindInfo): readonly KubeObject[] | undefined {
  switch (roleOf(intent)) {
    case 'claim': {
      const composite = compositeOfClaim(world, intent)
      return composite === undefined ? classesFor(world, intent) : compositionsFor(world, composite)
    }
    case 'requirement':
      return compositionsFor(world, { group: intent.group, kind: intent.kind.replace(/Requirement$/, '') })
    case 'application':
    case 'composite':
      return compositionsFor(world, intent)
    default:
      return undefined
  }
}

/** Who may not see the offers cannot be told that there are none. */
const isHidden = (world: WorldSnapshot): boolean =>
  [...world.collections.values()].some(
    ({ kind, state }) => ['class', 'composition'].includes(roleOf(kind) ?? '') && state.phase === 'refused',
  )

function functionObstacle(world: WorldSnapshot, name: string): string | undefined {
  const functions = world.collections.get(FUNCTIONS)
  if (functions?.loaded !== true || functions.state.phase === 'refused') return undefined
  const found = functions.objects.get(`/${name}`)
  if (found === undefined) return `The function ${name} is not installed.`
  return unhealthy(found, `The function ${name}`)
}

function kindObstacle(world: WorldSnapshot, kinds: NonNullable<ServedKinds>, { group, kind }: GroupKind): string | undefined {
  const served = kinds.byKind(group, kind)
  if (served !== undefined) {
    const provider = providerPackageOf(world, served)
    const object = provider && world.collections.get('Provider.pkg.crossplane.io')?.objects.get(`/${provider.name}`)
    return object && unhealthy(object, `${kind} is carried out by ${provider.name}, which`)
  }
  const definitions = world.collections.get(MANAGED_DEFINITIONS)
  if (definitions?.loaded !== true || definitions.state.phase === 'refused')
    return `${kind} (${group}) is not served: its provider is not installed, or the kind is not active.`
  const definition = [...definitions.objects.values()].find(
    ({ spec }: KubeObject & { readonly spec?: unknown }) => at(spec, 'group') === group && at(spec, 'names', 'kind') === kind,
  )
  if (definition === undefined) return `No installed provider contains ${kind} (${group}).`
  return at(definition['spec'], 'state') === 'Active'
    ? `${kind} is being activated.`
    : `${kind} is not active: an activation policy has to name ${definition.metadata.name ?? kindKey({ group, kind })}.`
}

function unhealthy(object: KubeObject, who: string): string | undefined {
  const conditions = conditionsOf(object)
  const healthy = findCondition(conditions, 'Healthy')
  if (healthy?.status === 'True') return undefined
  // What could not be fetched has no health to speak of.
  const blamed = healthy ?? findCondition(conditions, 'Installed')
  const why = blamed?.message ?? blamed?.reason
  return `${who} is not healthy${why === undefined || why === '' ? '' : `: ${why}`}.`
}

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (isJsonObject(node) ? getOwn(node, key) : undefined), value)
